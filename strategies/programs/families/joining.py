"""Joining tensors: along a dim, along a new one, as blocks and products."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from eagerdiff.strategies.programs.operation import (
    ANY,
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    dim_of,
)
from eagerdiff.strategies.programs.promotion import promoted
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "shape"
ONE = Size.of(1)
EMPTY = (Size.of(0),)
"""The shape that `cat` skips, whatever the others have."""
_MIXED: dict[Kind, tuple[str, ...]] = {
    "float": ("float64", "int64", "bfloat16"),
    "int": ("int64", "float32", "bool"),
    "bool": ("int64", "float16"),
    "complex": ("complex64", "float32"),
}
Rule = Callable[[Context, Attrs, Sequence[Type]], "Type | tuple[Type, ...]"]


def tensors(values: Sequence[Type]) -> None:
    """Raise IllTyped unless all operands are tensors."""
    if any(value.plain for value in values):
        raise IllTyped("a Python number")


def alike(values: Sequence[Type]) -> None:
    """Raise IllTyped unless all operands are tensors of one shape and dtype."""
    tensors(values)
    if len({(value.dtype, value.shape) for value in values}) > 1:
        raise IllTyped("tensors that differ")


def merged(values: Sequence[Type], shape: tuple[Size, ...]) -> Type:
    """Return the type of what holds the elements of several tensors: indices stay indices."""
    bounds = {value.below for value in values}
    return Type(promoted(*values), shape, bounds.pop() if len(bounds) == 1 else None)


def joined(values: Sequence[Type], dim: int) -> Type:
    """Return the type of tensors joined along a dim from the left; raise IllTyped where other sizes differ."""
    tensors(values)
    full = [value for value in values if value.shape != EMPTY] or list(values)
    first = full[0]
    for value in full:
        if value.ndim != first.ndim or value.without(dim) != first.without(dim):
            raise IllTyped("sizes differ outside the dim to join along")
    total = sum((value.shape[dim] for value in full), Size.of(0))
    return merged(values, first.with_dim(dim, total))


def no_attrs(choices: Choices, *types: Type) -> Attrs:
    """Draw nothing."""
    return {}


def several(
    name: str,
    source: str,
    rule: Rule,
    matching: Callable[..., Type],
    attrs: Callable[..., Attrs] = no_attrs,
    *,
    ndim: tuple[int, int] = (0, 4),
    allowed: tuple[Kind, ...] = ANY,
    results: int | Callable[[Attrs], int] = 1,
    more: int = 2,
) -> Operation:
    """Describe an operation of two or more tensors; in the source `{every}` are all of them."""

    def infer(context: Context, attrs: Attrs, *values: Type) -> Type | tuple[Type, ...]:
        tensors(values)
        if any(value.kind not in allowed for value in values):
            raise IllTyped(f"not all are {' or '.join(allowed)}")
        return rule(context, attrs, values)

    return Operation(
        name=name,
        family=FAMILY,
        operands=(Operand(kinds=allowed, ndim=ndim), Operand(matching=matching, variadic=more - 1)),
        infer=infer,
        attrs=attrs,
        source=source,
        results=results,
    )


def same(choices: Choices, x: Type, *rest: Type) -> Type:
    """Ask for another tensor of the first one's shape and dtype."""
    return Type(x.dtype, x.shape)


def _fitting_dims(values: Sequence[Type]) -> list[int]:
    """Return the dims along which tensors can be joined."""
    full = [value for value in values if value.shape != EMPTY] or list(values)
    shared = [value for value in full if value.ndim == full[0].ndim]
    return [dim for dim in range(full[0].ndim) if len({value.without(dim) for value in shared}) == 1]


def _longer(choices: Choices, *values: Type) -> Type:
    """Ask for a tensor that differs along one dim at most, now and then in dtype; or for the empty one."""
    x = values[0]
    form = choices.pick(("same", "other size", "other size", "other dtype", "empty"))
    dtype = choices.pick(_MIXED[x.kind]) if form == "other dtype" else x.dtype
    if form == "empty":
        return Type(dtype, EMPTY)
    if form != "other size":
        return Type(dtype, x.shape)
    dim = choices.pick(_fitting_dims(values))
    return Type(dtype, x.with_dim(dim, Size.of(choices.pick((1, 0, 3, "a", "b")))))


def _join_dim(choices: Choices, *values: Type) -> Attrs:
    fitting = _fitting_dims(values)
    if not fitting:
        raise IllTyped("no dim to join along")
    dim = choices.pick(fitting)
    return {"dim": dim - max(value.ndim for value in values) if choices.flag() else dim}


def _cat(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    widest = max(values, key=lambda value: value.ndim)
    return joined(values, dim_of(widest, attrs["dim"]))


def _stack(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    alike(values)
    shape, dim = values[0].shape, attrs["dim"]
    at = dim_of(Type("bool", (ONE, *shape)), dim)
    return merged(values, (*shape[:at], Size.of(len(values)), *shape[at:]))


def _stack_dim(choices: Choices, x: Type, *rest: Type) -> Attrs:
    return {"dim": choices.integer(-x.ndim - 1, x.ndim)}


def _widened(value: Type, ndim: int) -> Type:
    """Return what `atleast_1d` and `atleast_2d` make of a tensor."""
    return replace(value, shape=(ONE,) * (ndim - value.ndim) + value.shape)


def _hstack(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    wide = [_widened(value, 1) for value in values]
    return joined(wide, 0 if wide[0].ndim == 1 else 1)


def _vstack(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    return joined([_widened(value, 2) for value in values], 0)


def _column_stack(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    columns = [value if value.ndim > 1 else Type(value.dtype, (value.numel, ONE), value.below) for value in values]
    return joined(columns, 1)


def _blocks(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    if any(value.ndim > 2 for value in values):
        raise IllTyped("blocks of more than 2 dims")
    wide = [_widened(value, 2) for value in values]
    rows, columns = (sum((value.shape[dim] for value in wide), Size.of(0)) for dim in (0, 1))
    return Type(promoted(*values), (rows, columns))


def _block(choices: Choices, x: Type, *rest: Type) -> Type:
    return Type(x.dtype, tuple(map(Size.of, choices.pick((("a", 2), (3,), (), (0, 2), ("b", "a"))))))


def _vector(choices: Choices, x: Type, *rest: Type) -> Type:
    return Type(x.dtype, (Size.of(choices.pick((3, "b", "a", 1, 0))),))


def _vectors(values: Sequence[Type]) -> None:
    if any(value.ndim != 1 or value.dtype != values[0].dtype for value in values):
        raise IllTyped("not all of one dim and one dtype")


def _product(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    _vectors(values)
    total = Size.of(1)
    for value in values:
        total = total * value.shape[0]
    return Type(values[0].dtype, (total, Size.of(len(values))))


def _grid(values: Sequence[Type], order: Sequence[int]) -> tuple[Type, ...]:
    _vectors(values)
    shape = tuple(values[at].shape[0] for at in order)
    return tuple(replace(value, shape=shape, overlaps=True) for value in values)


def _kron(context: Context, attrs: Attrs, values: Sequence[Type]) -> Type:
    ndim = max(value.ndim for value in values)
    x, y = (_widened(value, ndim) for value in values)
    return Type(promoted(*values), tuple(one * two for one, two in zip(x.shape, y.shape, strict=True)))


def _broadcast(context: Context, attrs: Attrs, values: Sequence[Type]) -> tuple[Type, ...]:
    shape = broadcast(*values)
    return tuple(replace(value, shape=shape, overlaps=True) for value in values)


def _row(choices: Choices, x: Type, *rest: Type) -> Type:
    ones = tuple(ONE if at % 2 else size for at, size in enumerate(x.shape))
    return Type(x.dtype, choices.pick((x.shape[-1:], x.shape, (), ones)))


OPERATIONS = (
    several("cat", "torch.cat(({every}), {dim})", _cat, _longer, _join_dim, ndim=(1, 4)),
    several("stack", "torch.stack(({every}), {dim})", _stack, same, _stack_dim, ndim=(0, 3), more=3),
    several("hstack", "torch.hstack(({every}))", _hstack, _longer, ndim=(1, 4)),
    several("vstack", "torch.vstack(({every}))", _vstack, _longer, ndim=(1, 4)),
    several("column_stack", "torch.column_stack(({every}))", _column_stack, same, ndim=(1, 3)),
    several("block_diag", "torch.block_diag({every})", _blocks, _block, ndim=(0, 2)),
    several("cartesian_prod", "torch.cartesian_prod({every})", _product, _vector, ndim=(1, 1)),
    *(
        several(
            f"meshgrid_{indexing}",
            f"torch.meshgrid({{every}}, indexing='{indexing}')",
            lambda context, attrs, values, order=order: _grid(values, order),
            _vector,
            ndim=(1, 1),
            results=2,
            more=1,
        )
        for indexing, order in (("ij", (0, 1)), ("xy", (1, 0)))
    ),
    several("kron_nd", "torch.kron({0}.contiguous(), {1}.contiguous())", _kron, _row, ndim=(0, 3), more=1),
    several("broadcast_tensors", "torch.broadcast_tensors({every})", _broadcast, _row, results=2, more=1),
)
