"""Scans: cumulative sums, products and extremes, differences, running means."""

from eagerdiff.strategies.programs.families.ordering import Result, along_dim, kept
from eagerdiff.strategies.programs.operation import ANY, NUMERIC, Attrs, Context, IllTyped, Operand, Operation, kinds
from eagerdiff.strategies.programs.promotion import floating, summed
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "scans"
_FIELD: tuple[Kind, ...] = ("float", "complex")
_NUMBERS: tuple[Kind, ...] = ("float", "int", "complex")
_FLOAT: tuple[Kind, ...] = ("float",)


def _total(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    return x.of(summed(x.dtype))


def _wide(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    return x.of("float64")


def _same(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    return x.of()


def _differences(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    if attrs["n"] not in (1, 2):
        raise IllTyped("first or second differences")
    return x.of(shape=x.with_dim(dim, _fewer(x.shape[dim], attrs["n"])))


def _prepended(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    context.need(x.shape[dim], 1)
    return x.of()


def _fewer(size: Size, count: int) -> Size:
    return (size - count).most(0)


def _areas(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    return Type(floating(x.dtype), x.with_dim(dim, _fewer(x.shape[dim], 1)))


def _area(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    return Type(floating(x.dtype), x.without(dim))


def _slopes(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    context.need(x.shape[dim], 2)
    return x.of()


def _running_mean(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, *NUMERIC)
    return x.of(floating(x.dtype))


def scan(name: str, source: str, result: Result, allowed: tuple[Kind, ...], *, gradients: bool = True) -> Operation:
    """Describe a scan along one dim."""
    return along_dim(name, source, result, allowed, family=FAMILY, gradients=gradients)


OPERATIONS = (
    scan("cumsum", "{0}.cumsum({dim})", _total, ANY),
    scan("cumsum_wide", "{0}.cumsum({dim}, dtype=torch.float64)", _wide, ("float", "int", "bool")),
    scan("cumprod", "{0}.cumprod({dim})", _total, ANY),
    scan("logcumsumexp", "{0}.logcumsumexp({dim})", _same, _FLOAT),
    scan("cummax", "{0}.cummax({dim}).values", kept, NUMERIC, gradients=False),
    scan("cummin", "{0}.cummin({dim}).values", kept, NUMERIC, gradients=False),
    scan("cummax_gathered", "{0}.gather({dim}, {0}.cummax({dim}).indices)", kept, NUMERIC, gradients=False),
    scan("cummin_gathered", "{0}.gather({dim}, {0}.cummin({dim}).indices)", kept, NUMERIC, gradients=False),
    scan("suffix_sum", "{0}.flip({dim}).cumsum({dim}).flip({dim})", _total, ANY),
    scan("exclusive_sum", "{0}.cumsum({dim}) - {0}", _total, _NUMBERS),
    along_dim(
        "diff",
        "{0}.diff({n}, {dim})",
        _differences,
        ANY,
        family=FAMILY,
        n=lambda choices: choices.integer(1, 2),
    ),
    scan("diff_prepended", "{0}.diff(dim={dim}, prepend={0}.narrow({dim}, 0, 1))", _prepended, ANY),
    scan("cumulative_trapezoid", "torch.cumulative_trapezoid({0}, dx=0.5, dim={dim})", _areas, NUMERIC),
    scan("trapezoid", "torch.trapezoid({0}, dx=0.5, dim={dim})", _area, _FLOAT),
    scan("gradient", "torch.gradient({0}, dim={dim})[0]", _slopes, _FIELD),
    Operation(
        name="running_mean",
        family=FAMILY,
        operands=(Operand(kinds=NUMERIC, ndim=(1, 4)),),
        infer=_running_mean,
        source="{0}.cumsum(-1) / torch.arange(1, {0}.shape[-1] + 1, device={0}.device)",
    ),
)
