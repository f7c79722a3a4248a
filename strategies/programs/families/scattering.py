"""Scattering: index_put, scatter and index_add with their reductions, out of place.

What several sources write to one place without a reduction is not defined: there indices are distinct (`arange`,
`argsort`), or what is written is one number.
"""

from collections.abc import Callable
from dataclasses import replace

from eagerdiff.strategies.programs.families.indexing import (
    attributes_in,
    check_attrs,
    check_index,
    expect,
    index_into,
    length,
)
from eagerdiff.strategies.programs.families.lookup import along_attrs, along_index, vector_into
from eagerdiff.strategies.programs.operation import (
    ANY,
    NUMERIC,
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    dim_of,
    kinds,
)
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "scattering"
_REDUCES = ("sum", "prod", "mean", "amax", "amin")
_FLOAT: tuple[Kind, ...] = ("float",)


def writing(
    name: str,
    source: str,
    infer: Callable[..., None],
    *rest: Callable[..., Type],
    attrs: Callable[..., Attrs] = lambda choices, *types: {},
    allowed: tuple[Kind, ...] = ANY,
    ndim: tuple[int, int] = (1, 4),
    setup: str = "",
    family: str = FAMILY,
) -> Operation:
    """Describe an operation that gives its first operand with some elements replaced; `infer` only checks the rest."""

    names = attributes_in(source, setup)

    def check(context: Context, attrs: Attrs, x: Type, *others: Type) -> Type:
        kinds(x, *allowed)
        check_attrs(attrs, names)
        infer(context, attrs, x, *others)
        return x.of()

    operands = (Operand(kinds=allowed, ndim=ndim), *(Operand(matching=wanted) for wanted in rest))
    return Operation(
        name=name,
        family=family,
        operands=operands,
        infer=check,
        source=source,
        attrs=attrs,
        setup=setup,
    )


def _rows(choices: Choices, x: Type) -> Type:
    return index_into(choices, x.shape[0], (length(choices),))


def _row_values(choices: Choices, x: Type, index: Type) -> Type:
    return Type(x.dtype, choices.pick(((*index.shape, *x.shape[1:]), x.shape[1:], ())))


def _columns(choices: Choices, x: Type) -> Type:
    return index_into(choices, x.shape[1], (length(choices),))


def _put_rows(context: Context, attrs: Attrs, x: Type, index: Type, *values: Type) -> None:
    check_index(context, index, x.shape[0], "int32")
    expect(index, index.dtype, index.shape[:1])
    for value in values:
        full = Type(x.dtype, (*index.shape, *x.shape[1:]))
        expect(value, x.dtype, value.shape)
        if broadcast(value, full) != full.shape:
            raise IllTyped("the values are more than the places")


def _put_columns(context: Context, attrs: Attrs, x: Type, index: Type) -> None:
    check_index(context, index, x.shape[1], "int32")
    expect(index, index.dtype, index.shape[:1])


def _first_rows(context: Context, attrs: Attrs, x: Type, values: Type) -> None:
    expect(values, x.dtype, (*values.shape[:1], *x.shape[1:]))
    context.need(x.shape[0] - values.shape[0], 0)


def _some_rows(choices: Choices, x: Type) -> Type:
    return Type(x.dtype, (choices.pick((length(choices), x.shape[0])), *x.shape[1:]))


def _by_vector(context: Context, attrs: Attrs, x: Type, index: Type, *values: Type) -> None:
    dim = dim_of(x, attrs["dim"])
    check_index(context, index, x.shape[dim], "int32")
    expect(index, index.dtype, index.shape[:1])
    check_number(attrs.get("value", attrs.get("alpha", 0)))
    _check_reduce(attrs)
    for value in values:
        expect(value, x.dtype, x.with_dim(dim, index.shape[0]))


def _fill(context: Context, attrs: Attrs, x: Type, index: Type) -> None:
    check_index(context, index, index.below or Size.of(0))
    _by_vector(context, attrs, x, index)


def _index_reduce(context: Context, attrs: Attrs, x: Type, index: Type, values: Type) -> None:
    _by_vector(context, attrs, x, index, values)
    if attrs["reduce"] == "sum":
        raise IllTyped("index_add is the sum")


def check_number(value: object) -> None:
    """Raise IllTyped unless an attribute is an integer that every dtype holds."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 128:
        raise IllTyped(f"{value!r} does not fit every dtype")


def _check_reduce(attrs: Attrs) -> None:
    if attrs.get("reduce", "sum") not in _REDUCES:
        raise IllTyped(f"no reduction {attrs['reduce']!r}")


def _wide_vector(choices: Choices, x: Type) -> Type:
    return replace(vector_into(choices, x), dtype="int64")


def _vector_values(choices: Choices, x: Type, index: Type) -> Type:
    dim = choices.pick([dim for dim in range(x.ndim) if x.shape[dim] == index.below])
    return Type(x.dtype, x.with_dim(dim, index.shape[0]))


def _vector_attrs(**drawn: Callable[[Choices], object]) -> Callable[..., Attrs]:
    """Draw a dim that index and values fit, and more."""

    def attrs(choices: Choices, x: Type, index: Type, *values: Type) -> Attrs:
        fitting = [
            dim
            for dim in range(x.ndim)
            if x.shape[dim] == index.below and all(value.shape == x.with_dim(dim, index.shape[0]) for value in values)
        ]
        if not fitting:
            raise IllTyped("no dim fits")
        return {"dim": choices.pick(fitting)} | {name: draw(choices) for name, draw in drawn.items()}

    return attrs


def _along(context: Context, attrs: Attrs, x: Type, index: Type, *values: Type) -> None:
    dim = dim_of(x, attrs["dim"])
    check_index(context, index, x.shape[dim])
    if index.ndim != x.ndim:
        raise IllTyped("as many dims as the tensor has")
    for place in range(x.ndim):
        if place != dim:
            context.need(x.shape[place] - index.shape[place], 0)
    check_number(attrs.get("value", 0))
    _check_reduce(attrs)
    for value in values:
        expect(value, x.dtype, index.shape)


def _as_index(choices: Choices, x: Type, index: Type) -> Type:
    return Type(x.dtype, index.shape)


def _along_with(**drawn: Callable[[Choices], object]) -> Callable[..., Attrs]:
    def attrs(choices: Choices, x: Type, index: Type, *values: Type) -> Attrs:
        return {**along_attrs(choices, x, index), **{name: draw(choices) for name, draw in drawn.items()}}

    return attrs


def _permuted(context: Context, attrs: Attrs, x: Type, keys: Type) -> None:
    dim_of(x, attrs["dim"])
    kinds(keys, *NUMERIC)
    expect(keys, keys.dtype, x.shape)


def _keys(choices: Choices, x: Type) -> Type:
    return Type(choices.pick(("float32", "int64")), x.shape)


def _dim(choices: Choices, x: Type, *others: Type) -> Attrs:
    return {"dim": choices.dim(x)}


def _put_flat(context: Context, attrs: Attrs, x: Type, index: Type, values: Type) -> None:
    check_index(context, index, x.numel)
    expect(values, x.dtype, index.shape)


def _numel(choices: Choices, x: Type) -> Type:
    return Type("int64", choices.pick(((length(choices),), x.shape)), below=x.numel)


def _reduce(choices: Choices) -> object:
    return choices.pick(_REDUCES)


def _flag(choices: Choices) -> object:
    return choices.flag()


def _small(choices: Choices) -> object:
    return choices.integer(0, 3)


_ARANGE = "torch.arange({1}.shape[0], device={0}.device)"
COPY = "{out}_copy = {0}.clone()\n"

OPERATIONS = (
    writing("index_put_one", "{out}_copy", _put_rows, _rows, setup=COPY + "{out}_copy[{1}] = 2"),
    writing(
        "index_put_column", "{out}_copy", _put_columns, _columns, setup=COPY + "{out}_copy[:, {1}] = 1", ndim=(2, 4)
    ),
    writing("index_put_add", "{0}.index_put(({1},), {2}, accumulate=True)", _put_rows, _rows, _row_values),
    writing("index_put_distinct", f"{{0}}.index_put(({_ARANGE},), {{1}})", _first_rows, _some_rows),
    writing("index_put_last", f"{{0}}.index_put((-1 - {_ARANGE},), {{1}})", _first_rows, _some_rows),
    writing(
        "index_add",
        "{0}.index_add({dim}, {1}, {2}, alpha={alpha})",
        _by_vector,
        vector_into,
        _vector_values,
        attrs=_vector_attrs(alpha=lambda choices: choices.integer(1, 3)),
        allowed=("float", "int", "complex"),
    ),
    writing(
        "index_reduce",
        "{0}.index_reduce({dim}, {1}, {2}, {reduce}, include_self={include_self})",
        _index_reduce,
        vector_into,
        _vector_values,
        attrs=_vector_attrs(reduce=lambda choices: choices.pick(_REDUCES[1:]), include_self=_flag),
        allowed=NUMERIC,
    ),
    writing(
        "index_fill",
        "{0}.index_fill({dim}, {1}, {value})",
        _fill,
        _wide_vector,
        attrs=_vector_attrs(value=_small),
    ),
    writing("index_copy", f"{{0}}.index_copy(0, {_ARANGE}.flip(0), {{1}})", _first_rows, _some_rows),
    writing(
        "scatter_permuted",
        "torch.zeros_like({0}).scatter({dim}, {1}.argsort(dim={dim}, stable=True), {0})",
        _permuted,
        _keys,
        attrs=_dim,
    ),
    writing(
        "scatter_one",
        "{0}.scatter({dim}, {1}, {value})",
        _along,
        along_index,
        attrs=_along_with(value=_small),
    ),
    writing(
        "scatter_add",
        "{0}.scatter_add({dim}, {1}, {2})",
        _along,
        along_index,
        _as_index,
        attrs=_along_with(),
        allowed=("float", "int", "complex"),
    ),
    writing(
        "scatter_reduce",
        "{0}.scatter_reduce({dim}, {1}, {2}, {reduce}, include_self={include_self})",
        _along,
        along_index,
        _as_index,
        attrs=_along_with(reduce=_reduce, include_self=_flag),
        allowed=NUMERIC,
    ),
    writing(
        "put_add",
        "{0}.put({1}, {2}, accumulate=True)",
        _put_flat,
        _numel,
        _as_index,
        allowed=("float", "int", "complex"),
    ),
)
