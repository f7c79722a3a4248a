"""Masking: elements chosen by a mask, and slices, replaced in a copy."""

import functools
from collections.abc import Callable

from eagerdiff.strategies.programs.families.indexing import expect
from eagerdiff.strategies.programs.families.scattering import COPY, check_number, writing
from eagerdiff.strategies.programs.operation import (
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    dim_of,
)
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "masking"
_FLOAT: tuple[Kind, ...] = ("float",)
masking = functools.partial(writing, family=FAMILY)


def _mask(choices: Choices, x: Type) -> Type:
    return Type("bool", choices.pick((x.shape, x.shape[-1:], ())))


def _masked(context: Context, attrs: Attrs, x: Type, mask: Type, *values: Type) -> None:
    expect(mask, "bool", mask.shape)
    check_number(attrs.get("value", 0))
    if broadcast(mask, x) != x.shape:
        raise IllTyped("the mask is larger")
    for value in values:
        expect(value, x.dtype, x.shape)


def _masked_rows(context: Context, attrs: Attrs, x: Type, mask: Type) -> None:
    expect(mask, "bool", x.shape[:1])
    check_number(attrs["value"])


def _value(choices: Choices, *types: Type) -> Attrs:
    return {"value": choices.integer(0, 3)}


def _select(context: Context, attrs: Attrs, x: Type, values: Type) -> None:
    dim = dim_of(x, attrs["dim"])
    context.need(x.shape[dim], 1)
    expect(values, x.dtype, x.without(dim))
    if attrs["index"] not in (0, -1):
        raise IllTyped("the first or the last")


def _without_one(choices: Choices, x: Type) -> Type:
    return Type(x.dtype, x.without(choices.integer(0, x.ndim - 1)))


def _select_attrs(choices: Choices, x: Type, values: Type) -> Attrs:
    fitting = [dim for dim in range(x.ndim) if x.without(dim) == values.shape]
    return {"dim": choices.pick(fitting), "index": choices.pick((0, -1))}


def into(
    name: str, source: str, wider: Callable[[Type], tuple[Size, ...]], ndim: tuple[int, int] = (1, 4)
) -> Operation:
    """Describe writing the first operand into a part of the second, whose shape follows from the first's."""

    def wanted(choices: Choices, x: Type) -> Type:
        return Type(x.dtype, wider(x))

    def infer(context: Context, attrs: Attrs, x: Type, whole: Type) -> Type:
        expect(whole, x.dtype, wider(x))
        return whole.of()

    operands = (Operand(ndim=ndim), Operand(matching=wanted))
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source)


OPERATIONS = (
    masking("masked_fill", "{0}.masked_fill({1}, {value})", _masked, _mask, attrs=_value, ndim=(0, 4)),
    masking("masked_infinity", "{0}.masked_fill({1}, float('-inf'))", _masked, _mask, allowed=_FLOAT),
    masking("masked_scatter", "{0}.masked_scatter({1}, {2})", _masked, _mask, lambda choices, x, mask: x.of()),
    masking(
        "masked_set",
        "{out}_copy",
        _masked_rows,
        lambda choices, x: Type("bool", x.shape[:1]),
        attrs=_value,
        setup=COPY + "{out}_copy[{1}] = {value}",
    ),
    masking("where_nan", "torch.where({0}.isnan(), 0.5, {0})", lambda context, attrs, x: None, allowed=_FLOAT),
    masking(
        "select_scatter",
        "{0}.select_scatter({1}, {dim}, {index})",
        _select,
        _without_one,
        attrs=_select_attrs,
    ),
    into("slice_scatter", "{1}.slice_scatter({0}, 0, 1)", lambda x: x.with_dim(0, x.shape[0] + 1)),
    into("slice_scatter_step", "{1}.slice_scatter({0}, -1, step=2)", lambda x: x.with_dim(-1, x.shape[-1] * 2)),
    into("diagonal_scatter", "{1}.diagonal_scatter({0})", lambda x: (x.shape[0], x.shape[0]), (1, 1)),
    into("diagonal_scatter_above", "{1}.diagonal_scatter({0}, 1)", lambda x: (x.shape[0], x.shape[0] + 1), (1, 1)),
)
