"""Operations of one tensor: most views, most rearrangements."""

from collections.abc import Callable

from eagerdiff.strategies.programs.operation import (
    ANY,
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    dim_of,
    kinds,
)
from eagerdiff.strategies.programs.value_type import Kind, Type

Rule = Callable[[Context, Attrs, Type], "Type | tuple[Type, ...]"]
"""`rule(context, attrs, x)`: the results' types, as `Operation.infer`."""
Draw = Callable[[Choices, Type], Attrs]


def one_tensor(
    family: str,
    name: str,
    source: "str | Callable[..., str]",
    rule: Rule,
    attrs: Draw = lambda choices, x: {},
    *,
    ndim: tuple[int, int] = (0, 4),
    allowed: tuple[Kind, ...] = ANY,
    where: Callable[[Type], bool] = lambda x: True,
    results: int | Callable[[Attrs], int] = 1,
    setup: str = "",
    gradients: bool = True,
    guards: int = 0,
    traced_only: str = "",
) -> Operation:
    """Describe an operation of one tensor of certain kinds and numbers of dims."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type | tuple[Type, ...]:
        kinds(x, *allowed)
        return rule(context, attrs, x)

    return Operation(
        name=name,
        family=family,
        operands=(Operand(kinds=allowed, ndim=ndim, where=where),),
        infer=infer,
        attrs=attrs,
        source=source,
        results=results,
        setup=setup,
        gradients=gradients,
        guards=guards,
        traced_only=traced_only,
    )


def dim_attr(choices: Choices, x: Type) -> Attrs:
    """Draw one dim."""
    return {"dim": choices.dim(x)}


def two_dims(choices: Choices, x: Type) -> Attrs:
    """Draw two dims, which may be the same."""
    return {"dim": choices.dim(x), "other": choices.dim(x)}


def dims_attr(choices: Choices, x: Type) -> Attrs:
    """Draw distinct dims."""
    return {"dims": choices.dims(x)}


def pair(x: Type, attrs: Attrs) -> tuple[int, int]:
    """Return two distinct dims from the left; raise IllTyped where they are the same."""
    one, two = dim_of(x, attrs["dim"]), dim_of(x, attrs["other"])
    if one == two:
        raise IllTyped("a dim is named twice")
    return one, two
