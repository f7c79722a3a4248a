"""Ordering: sorting, ranks, top-k, quantiles: what depends on an order, ties included.

Which of equal elements comes first is no promise, but for a stable sort: indices are given where it is stable, and
elsewhere only what they point at. Nor is it one to which of them a gradient goes: those take none.
"""

from collections.abc import Callable

from eagerdiff.strategies.programs.families.indexing import attributes_in, check_attrs
from eagerdiff.strategies.programs.families.reductions import reduced
from eagerdiff.strategies.programs.operation import (
    NUMERIC,
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    dim_of,
    kinds,
)
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "ordering"
_REAL: tuple[Kind, ...] = ("float", "int", "bool")
_FLOAT: tuple[Kind, ...] = ("float",)
_QUANTILES = (0.5, 0.0, 1.0, 0.25, 0.75)
_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")

Result = Callable[[Context, Attrs, Type, int], "Type | tuple[Type, ...]"]


def along_dim(
    name: str,
    source: str,
    result: Result,
    allowed: tuple[Kind, ...] = NUMERIC,
    *,
    family: str = FAMILY,
    results: int = 1,
    gradients: bool = True,
    where: Callable[[Type], bool] = lambda value: True,
    **drawn: Callable[[Choices], object],
) -> Operation:
    """Describe an operation along one dim; `result(context, attrs, x, dim)`, and how further attributes are drawn."""

    names = attributes_in(source)

    def infer(context: Context, attrs: Attrs, x: Type) -> "Type | tuple[Type, ...]":
        kinds(x, *allowed)
        check_attrs(attrs, names)
        return result(context, attrs, x, dim_of(x, attrs["dim"]))

    def attrs(choices: Choices, x: Type) -> Attrs:
        return {"dim": choices.dim(x)} | {key: draw(choices) for key, draw in drawn.items()}

    return Operation(
        name=name,
        family=family,
        operands=(Operand(kinds=allowed, ndim=(1, 4), where=where),),
        infer=infer,
        attrs=attrs,
        source=source,
        results=results,
        gradients=gradients,
    )


def kept(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    """Give a tensor of the same values in another order."""
    return Type(x.dtype, x.shape, x.below)


def positions(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    """Give places along the dim."""
    return Type("int64", x.shape, below=x.shape[dim])


def _sorted(context: Context, attrs: Attrs, x: Type, dim: int) -> tuple[Type, ...]:
    return kept(context, attrs, x, dim), positions(context, attrs, x, dim)


def _at_most(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    return Type(x.dtype, x.with_dim(dim, x.shape[dim].least(_count(attrs["k"]))), x.below)


def _exactly(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    context.need(x.shape[dim], _count(attrs["k"]))
    return Type(x.dtype, x.with_dim(dim, attrs["k"]), x.below)


def _one(least: Callable[[Attrs], int]) -> Result:
    def result(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
        context.need(x.shape[dim], least(attrs))
        return Type(x.dtype, reduced(x, (dim,), attrs["keepdim"]), x.below)

    return result


def _quantile(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    if attrs["q"] not in _QUANTILES or attrs["interpolation"] not in _INTERPOLATIONS:
        raise IllTyped("no such quantile")
    for size in x.shape:
        context.need(size, 1)
    expect_wide(x)
    return Type(x.dtype, reduced(x, (dim,), attrs["keepdim"]))


def _quantiles(context: Context, attrs: Attrs, x: Type, dim: int) -> Type:
    value = _quantile(context, {**attrs, "q": 0.5, "interpolation": "linear", "keepdim": False}, x, dim)
    return Type(value.dtype, (Size.of(3), *value.shape))


def expect_wide(x: Type) -> None:
    """Raise IllTyped for the dtypes that quantiles are not computed in."""
    if not _is_wide(x):
        raise IllTyped(f"no quantiles of {x.dtype}")


def _is_wide(x: Type) -> bool:
    return x.dtype in ("float32", "float64")


def _count(k: object) -> int:
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise IllTyped(f"{k!r} is no count")
    return k


def _flag(choices: Choices) -> object:
    return choices.flag()


def _k(choices: Choices) -> object:
    return choices.integer(1, 4)


def _by_key(context: Context, attrs: Attrs, keys: Type, x: Type) -> Type:
    _check_vectors(keys, x)
    return Type(x.dtype, x.shape, x.below)


def _two_keys(context: Context, attrs: Attrs, keys: Type, x: Type) -> Type:
    _check_vectors(keys, x)
    kinds(x, *_REAL)
    return Type("int64", x.shape, below=x.shape[0])


def _check_vectors(keys: Type, x: Type) -> None:
    kinds(keys, *_REAL)
    if x.plain or keys.ndim != 1 or x.shape[:1] != keys.shape:
        raise IllTyped("a key for every row")


def _rows(choices: Choices, keys: Type) -> Type:
    return Type(choices.pick(("float32", "int64", "bfloat16")), choices.pick((keys.shape, (*keys.shape, Size.of(2)))))


_KEYS = Operand(kinds=_REAL, ndim=(1, 1))
_TOPK = "{0}.topk(min({k}, {0}.shape[{dim}]), dim={dim}, largest={largest})"

OPERATIONS = (
    along_dim(
        "sort",
        "{0}.sort(dim={dim}, descending={descending}, stable=True)",
        _sorted,
        _REAL,
        results=2,
        descending=_flag,
    ),
    along_dim(
        "argsort",
        "{0}.argsort(dim={dim}, descending={descending}, stable=True)",
        positions,
        _REAL,
        descending=_flag,
    ),
    along_dim("rank", "{0}.argsort(dim={dim}, stable=True).argsort(dim={dim})", positions, _REAL),
    along_dim("sort_values", "{0}.sort({dim}).values", kept, _REAL, gradients=False),
    along_dim(
        "unsort",
        "{0}.sort({dim}).values.gather({dim}, {0}.argsort({dim}).argsort({dim}))",
        kept,
        _REAL,
        gradients=False,
    ),
    along_dim("topk", _TOPK + ".values", _at_most, gradients=False, k=_k, largest=_flag),
    along_dim(
        "topk_gathered", "{0}.gather({dim}, " + _TOPK + ".indices)", _at_most, gradients=False, k=_k, largest=_flag
    ),
    along_dim("topk_exactly", "torch.topk({0}, {k}, {dim}).values", _exactly, gradients=False, k=_k),
    along_dim(
        "kthvalue",
        "{0}.kthvalue({k}, {dim}, {keepdim}).values",
        _one(lambda attrs: _count(attrs["k"])),
        gradients=False,
        k=_k,
        keepdim=_flag,
    ),
    along_dim("nanmedian", "{0}.nanmedian({dim}, {keepdim}).values", _one(lambda _: 1), gradients=False, keepdim=_flag),
    along_dim("mode", "{0}.mode({dim}, {keepdim}).values", _one(lambda _: 1), _REAL, gradients=False, keepdim=_flag),
    *(
        along_dim(
            name,
            f"torch.{name}({{0}}, {{q}}, {{dim}}, keepdim={{keepdim}}, interpolation={{interpolation}})",
            _quantile,
            _FLOAT,
            gradients=False,
            where=_is_wide,
            q=lambda choices: choices.pick(_QUANTILES),
            keepdim=_flag,
            interpolation=lambda choices: choices.pick(_INTERPOLATIONS),
        )
        for name in ("quantile", "nanquantile")
    ),
    along_dim(
        "quartiles",
        "torch.quantile({0}, torch.tensor([0.25, 0.5, 0.75], dtype={0}.dtype, device={0}.device), dim={dim})",
        _quantiles,
        _FLOAT,
        gradients=False,
        where=_is_wide,
    ),
    Operation(
        name="msort",
        family=FAMILY,
        operands=(Operand(kinds=_REAL, ndim=(1, 4)),),
        infer=lambda context, attrs, x: kept(context, attrs, x, 0),
        source="{0}.msort()",
        gradients=False,
    ),
    Operation(
        name="sort_by",
        family=FAMILY,
        operands=(_KEYS, Operand(matching=_rows)),
        infer=_by_key,
        source="{1}[{0}.argsort(stable=True)]",
    ),
    Operation(
        name="sort_by_two",
        family=FAMILY,
        operands=(_KEYS, Operand(matching=lambda choices, keys: Type(choices.pick(("int64", "float32")), keys.shape))),
        infer=_two_keys,
        setup="{out}_minor = {0}.argsort(stable=True)",
        source="{out}_minor[{1}[{out}_minor].argsort(stable=True)]",
    ),
)
