"""Views whose elements stand at other strides: expanded, and as a user computes strides."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from eagerdiff.strategies.programs.attributes import whole
from eagerdiff.strategies.programs.families.one_tensor import one_tensor
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type


def _added_dims(context: Context, attrs: Attrs, x: Type) -> Type:
    return replace(x.view(Size.of(whole(attrs["count"], 0, 4)), *x.shape), overlaps=True)


def _new_dim_expanded(context: Context, attrs: Attrs, x: Type) -> Type:
    dim, count = whole(attrs["dim"], 0, x.ndim - 1), whole(attrs["count"], 0, 4)
    return replace(x.view(*x.shape[:dim], Size.of(count), *x.shape[dim:]), overlaps=True)


def _ones(choices: Choices, wide: Type) -> Type:
    """Ask for a tensor that expands to the shape of another: some dims 1, leading dims left out."""
    shape = tuple(Size.of(1) if choices.flag() else size for size in wide.shape)
    return Type(wide.dtype, shape[choices.integer(0, len(shape)) :])


def _expanded(context: Context, attrs: Attrs, wide: Type, x: Type) -> Type:
    if x.plain or x.ndim > wide.ndim:
        raise IllTyped("more dims than the shape to expand to")
    for size, target in zip(reversed(x.shape), reversed(wide.shape), strict=False):
        if size != target and size.constant != 1:
            raise IllTyped(f"{size} does not expand to {target}")
    return replace(x.view(*wide.shape), overlaps=True)


def _strided_diagonal(context: Context, attrs: Attrs, x: Type) -> Type:
    return replace(x.view(x.shape[0].least(x.shape[1])), overlaps=False)


def _strided_transpose(context: Context, attrs: Attrs, x: Type) -> Type:
    return replace(x.view(x.shape[1], x.shape[0]), overlaps=False)


def _strided_rows(context: Context, attrs: Attrs, x: Type) -> Type:
    return replace(x.view((x.shape[0] + 1) // 2, *x.shape[1:]), overlaps=False)


def _strided_windows(context: Context, attrs: Attrs, x: Type) -> Type:
    window = whole(attrs["window"], 1, 4)
    context.need(x.shape[0], window)
    return replace(x.view(x.shape[0] - window + 1, Size.of(window), *x.shape[1:]), overlaps=True)


def _strided_tail(context: Context, attrs: Attrs, x: Type) -> Type:
    context.need(x.shape[0], 1)
    return replace(x.view(x.shape[0] - 1, *x.shape[1:]), overlaps=False)


def expansion(name: str, source: str) -> Operation:
    """Describe the expansion of the second operand to the shape of the first."""
    operands = (Operand(ndim=(1, 4)), Operand(matching=_ones))
    return Operation(name=name, family="views", operands=operands, infer=_expanded, source=source)


def strided(name: str, strides: str, rule: Callable[[Context, Attrs, Type], Type]) -> Operation:
    """Describe a view by sizes and strides of a contiguous matrix, which is called `{out}`."""
    return one_tensor(
        "views",
        name,
        f"{{out}}.as_strided({strides})",
        rule,
        lambda choices, x: {"window": choices.integer(1, 3)},
        ndim=(2, 2),
        setup="{out} = {0}.contiguous()",
    )


view = partial(one_tensor, "views")

OPERATIONS = (
    view(
        "expand_leading",
        "{0}.expand({count}, *{0}.shape)",
        _added_dims,
        lambda choices, x: {"count": choices.integer(0, 3)},
    ),
    view(
        "expand_new_dim",
        "{0}.unsqueeze({dim}).expand(*{0}.shape[:{dim}], {count}, *{0}.shape[{dim}:])",
        _new_dim_expanded,
        lambda choices, x: {"dim": choices.integer(0, x.ndim - 1), "count": choices.integer(0, 3)},
        ndim=(1, 4),
    ),
    expansion("expand", "{1}.expand({0}.shape)"),
    expansion("expand_as", "{1}.expand_as({0})"),
    expansion("broadcast_to", "torch.broadcast_to({1}, {0}.size())"),
    strided("as_strided_diagonal", "(min({out}.shape),), ({out}.shape[1] + 1,)", _strided_diagonal),
    strided("as_strided_transposed", "{out}.shape[::-1], (1, {out}.shape[1])", _strided_transpose),
    strided("as_strided_rows", "(({out}.shape[0] + 1) // 2, {out}.shape[1]), (2 * {out}.stride(0), 1)", _strided_rows),
    strided(
        "as_strided_windows",
        "({out}.shape[0] - {window} + 1, {window}, {out}.shape[1]), ({out}.shape[1], {out}.shape[1], 1)",
        _strided_windows,
    ),
    view(
        "as_strided_tail",
        "{out}.as_strided(({out}.shape[0] - 1,), (1,), 1)",
        _strided_tail,
        ndim=(1, 1),
        setup="{out} = {0}.clone(memory_format=torch.contiguous_format)",
    ),
)
