"""Reductions: over one dim, several, or all; with and without the dims kept."""

from collections.abc import Iterable

from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, dim_of, kinds
from eagerdiff.strategies.programs.promotion import real, summed
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "reductions"


def reduced(x: Type, dims: Iterable[int], keepdim: bool) -> tuple[Size, ...]:
    """Return the shape without some dims, or with 1 in their place; raise IllTyped for a dim that is named twice."""
    gone = {dim_of(x, dim) for dim in dims}
    if len(gone) != len(tuple(dims)):
        raise IllTyped("a dim is named twice")
    one = Size.of(1)
    return tuple(one if at in gone else size for at, size in enumerate(x.shape) if keepdim or at not in gone)


def _result(rule: str, dtype: str) -> str:
    truth = "uint8" if dtype == "uint8" else "bool"  # torch.any's oldest habit
    return {"same": dtype, "summed": summed(dtype), "real": real(dtype), "truth": truth}.get(rule, rule)


def over_dims(name: str, source: str, allowed: tuple[Kind, ...], result: str = "same", least: int = 0) -> Operation:
    """Describe a reduction over several dims; each dim reduced has at least `least` elements."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, *allowed)
        for dim in attrs["dims"]:
            context.need(x.shape[dim_of(x, dim)], least)
        return Type(_result(result, x.dtype), reduced(x, attrs["dims"], attrs["keepdim"]))

    def attrs(choices: Choices, x: Type) -> Attrs:
        return {"dims": choices.dims(x), "keepdim": choices.flag()}

    operands = (Operand(kinds=allowed, ndim=(1, 4)),)
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, attrs=attrs, source=source)


def over_dim(name: str, source: str, allowed: tuple[Kind, ...], results: tuple[str, ...], least: int = 0) -> Operation:
    """Describe a reduction over one dim that gives one or more results (`max`: values and indices)."""

    def infer(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
        kinds(x, *allowed)
        size = x.shape[dim_of(x, attrs["dim"])]
        context.need(size, least)
        shape = reduced(x, (attrs["dim"],), attrs["keepdim"])
        return tuple(Type(_result(rule, x.dtype), shape, size if rule == "int64" else None) for rule in results)

    def attrs(choices: Choices, x: Type) -> Attrs:
        return {"dim": choices.dim(x), "keepdim": choices.flag()}

    operands = (Operand(kinds=allowed, ndim=(1, 4)),)
    return Operation(
        name=name,
        family=FAMILY,
        operands=operands,
        infer=infer,
        attrs=attrs,
        source=source,
        results=len(results),
    )


def over_all(name: str, source: str, allowed: tuple[Kind, ...], result: str = "same", least: int = 0) -> Operation:
    """Describe a reduction to a 0-d tensor."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        kinds(x, *allowed)
        for size in x.shape:
            context.need(size, least)
        return Type(_result(result, x.dtype))

    return Operation(name=name, family=FAMILY, operands=(Operand(kinds=allowed),), infer=infer, source=source)


_REAL: tuple[Kind, ...] = ("float", "int", "bool")
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_FLOAT: tuple[Kind, ...] = ("float",)

OPERATIONS = (
    over_dims("sum", "{0}.sum({dims}, keepdim={keepdim})", ("float", "int", "bool", "complex"), "summed"),
    over_dims("mean", "{0}.mean({dims}, keepdim={keepdim})", ("float", "complex")),
    over_dims("amax", "{0}.amax({dims}, keepdim={keepdim})", _NUMBERS, least=1),
    over_dims("amin", "{0}.amin({dims}, keepdim={keepdim})", _NUMBERS, least=1),
    over_dims("logsumexp", "{0}.logsumexp({dims}, keepdim={keepdim})", _FLOAT),
    over_dims("var", "{0}.var({dims}, keepdim={keepdim}, correction=1)", _FLOAT, least=2),
    over_dims("std", "{0}.std({dims}, keepdim={keepdim}, correction=0)", _FLOAT, least=1),
    over_dims("any_of", "torch.any({0}, {dims}, keepdim={keepdim})", _REAL, "truth"),
    over_dims("norm", "torch.linalg.vector_norm({0}, 2, {dims}, {keepdim})", ("float", "complex"), "real"),
    over_dim("prod", "{0}.prod({dim}, keepdim={keepdim})", _NUMBERS, ("summed",)),
    over_dim("all", "{0}.all({dim}, keepdim={keepdim})", ("int", "bool"), ("truth",)),
    over_dim("argmax", "{0}.argmax({dim}, keepdim={keepdim})", _NUMBERS, ("int64",), least=1),
    over_dim("argmin", "{0}.argmin({dim}, keepdim={keepdim})", _NUMBERS, ("int64",), least=1),
    over_dim("max", "{0}.max({dim}, keepdim={keepdim})", _NUMBERS, ("same", "int64"), least=1),
    over_dim("min", "{0}.min({dim}, keepdim={keepdim})", _NUMBERS, ("same", "int64"), least=1),
    over_dim("median", "{0}.median({dim}, keepdim={keepdim})", _NUMBERS, ("same", "int64"), least=1),
    over_all("sum_all", "{0}.sum()", _REAL, "summed"),
    over_all("mean_all", "{0}.mean()", _FLOAT),
    over_all("max_all", "{0}.max()", _NUMBERS, least=1),
    over_all("any_all", "{0}.any()", _REAL, "truth"),
)
