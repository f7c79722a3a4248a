"""Looking up: along a dim by index, in tables of embeddings, in sorted values and sets."""

from collections.abc import Callable

from eagerdiff.strategies.programs.families.indexing import (
    attributes_in,
    check_attrs,
    check_index,
    expect,
    index_into,
    length,
    some_dim,
)
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

FAMILY = "lookup"
_FLOAT: tuple[Kind, ...] = ("float",)
_TENSOR = Operand(ndim=(1, 4))
_MODES = ("sum", "mean", "max")


def along_index(choices: Choices, x: Type) -> Type:
    """Ask for indices into one dim, of the tensor's own number of dims."""
    dim = choices.integer(0, x.ndim - 1)
    shape = x.with_dim(dim, choices.pick((length(choices), x.shape[dim])))
    if x.ndim > 1 and choices.integer(0, 3) == 3:
        shape = (*shape[:-1], Size.of(1)) if dim < x.ndim - 1 else (Size.of(1), *shape[1:])
    return Type("int64", shape, below=x.shape[dim])


def along_attrs(choices: Choices, x: Type, index: Type, *others: Type) -> Attrs:
    """Draw the dim that indices are into."""
    return {"dim": some_dim(choices, x, lambda dim: x.shape[dim] == index.below)}


def _gather(context: Context, attrs: Attrs, x: Type, index: Type) -> Type:
    dim = dim_of(x, attrs["dim"])
    check_index(context, index, x.shape[dim])
    if index.ndim != x.ndim:
        raise IllTyped("as many dims as the tensor has")
    for place in range(x.ndim):
        if place != dim:
            context.need(x.shape[place] - index.shape[place], 0)
    return Type(x.dtype, index.shape, x.below)


def _take_along(context: Context, attrs: Attrs, x: Type, index: Type) -> Type:
    dim = dim_of(x, attrs["dim"])
    check_index(context, index, x.shape[dim])
    if index.ndim != x.ndim:
        raise IllTyped("as many dims as the tensor has")
    shape = list(x.shape)
    for place, size in enumerate(index.shape):
        if place != dim and size != x.shape[place] and size.constant != 1:
            raise IllTyped(f"{size} does not broadcast")
    shape[dim] = index.shape[dim]
    return Type(x.dtype, tuple(shape), x.below)


def _select(context: Context, attrs: Attrs, x: Type, index: Type) -> Type:
    dim = dim_of(x, attrs["dim"])
    check_index(context, index, x.shape[dim], "int32")
    expect(index, index.dtype, index.shape[:1])
    return Type(x.dtype, x.with_dim(dim, index.shape[0]), x.below)


def vector_into(choices: Choices, x: Type) -> Type:
    """Ask for a vector of indices into one of the dims."""
    return index_into(choices, choices.pick(x.shape), (length(choices),))


def _embedding(context: Context, attrs: Attrs, table: Type, index: Type) -> Type:
    kinds(table, *_FLOAT)
    check_index(context, index, table.shape[0], "int32")
    return Type(table.dtype, (*index.shape, table.shape[1]))


def _padded(context: Context, attrs: Attrs, table: Type, index: Type) -> Type:
    context.need(table.shape[0], 1)
    return _embedding(context, attrs, table, index)


def _bag(context: Context, attrs: Attrs, table: Type, index: Type) -> Type:
    if attrs["mode"] not in _MODES or index.ndim != 2:
        raise IllTyped("bags of indices, summed, averaged or the largest taken")
    for size in (index.shape[1], table.shape[1]):
        context.need(size, 1)
    return Type(table.dtype, (index.shape[0], _embedding(context, attrs, table, index).shape[-1]))


def _bags_of_two(context: Context, attrs: Attrs, table: Type, index: Type) -> Type:
    if attrs["mode"] not in _MODES or index.ndim != 1:
        raise IllTyped("bags of indices, summed, averaged or the largest taken")
    context.need(table.shape[1], 1)
    return Type(table.dtype, ((index.shape[0] + 1) // 2, _embedding(context, attrs, table, index).shape[-1]))


def table_index(*shapes: Callable[[Size], tuple[Size, ...]]) -> Callable[[Choices, Type], Type]:
    """Ask for indices into the rows of a table."""
    return lambda choices, table: index_into(choices, table.shape[0], choices.pick(shapes)(length(choices)))


def _classes(context: Context, attrs: Attrs, index: Type) -> Type:
    expect(index, "int64", index.shape)
    if not isinstance(attrs["classes"], int) or attrs["classes"] < 1:
        raise IllTyped("at least one class")
    return Type("int64", (*index.shape, Size.of(attrs["classes"])))


def _rows_hot(context: Context, attrs: Attrs, x: Type, index: Type) -> Type:
    check_index(context, index, x.shape[0])
    context.need(x.shape[0], 1)
    return Type("int64", (*index.shape, x.shape[0]))


def _searchsorted(context: Context, attrs: Attrs, x: Type, values: Type) -> Type:
    kinds(x, *NUMERIC)
    expect(values, x.dtype, (*x.shape[:-1], values.shape[-1]))
    return Type("int64", values.shape, below=x.shape[-1] + 1)


def _bucketize(context: Context, attrs: Attrs, x: Type, boundaries: Type) -> Type:
    kinds(x, *NUMERIC)
    expect(boundaries, x.dtype, boundaries.shape[:1])
    dtype = "int32" if attrs["out_int32"] else "int64"
    return Type(dtype, x.shape, below=boundaries.shape[0] + 1)


def _isin(context: Context, attrs: Attrs, x: Type, elements: Type) -> Type:
    kinds(x, *NUMERIC)
    # Eager refuses some that are not contiguous, where they have more dims.
    expect(elements, x.dtype, elements.shape[:1])
    return x.of("bool")


def _segments(context: Context, attrs: Attrs, lengths: Type, x: Type) -> Type:
    expect(lengths, "int64", lengths.shape[:1])
    return Type("int64", x.shape[:1], below=lengths.shape[0] + 1)


def _triangle(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, *NUMERIC)
    check_attrs(attrs, frozenset({"offset"}))
    size = x.shape[-1]
    return Type(x.dtype, (*x.shape[:-1], size * (size + (-1 if attrs["offset"] else 1)) // 2))


def _flags(*names: str) -> Callable[..., Attrs]:
    return lambda choices, *types: {name: choices.flag() for name in names}


def looking_up(
    name: str,
    source: str,
    infer: Callable[..., Type],
    first: Operand,
    *rest: Callable[..., Type],
    attrs: Callable[..., Attrs] = lambda choices, *types: {},
) -> Operation:
    """Describe an operation of one tensor and further operands of prescribed types."""
    names = attributes_in(source)

    def check(context: Context, attrs: Attrs, *types: Type) -> Type:
        check_attrs(attrs, names)
        return infer(context, attrs, *types)

    operands = (first, *(Operand(matching=wanted) for wanted in rest))
    return Operation(name=name, family=FAMILY, operands=operands, infer=check, source=source, attrs=attrs)


_TABLE = Operand(kinds=_FLOAT, ndim=(2, 2))
_VECTORS = Operand(kinds=NUMERIC, ndim=(1, 3))
_ANY_SHAPE = table_index(lambda some: (some,), lambda some: (some, Size.of(2)), lambda some: ())


def _bag_attrs(choices: Choices, *types: Type) -> Attrs:
    return {"mode": choices.pick(_MODES)}


OPERATIONS = (
    looking_up("gather", "{0}.gather({dim}, {1})", _gather, _TENSOR, along_index, attrs=along_attrs),
    looking_up(
        "take_along_dim",
        "torch.take_along_dim({0}, {1}, {dim})",
        _take_along,
        _TENSOR,
        along_index,
        attrs=along_attrs,
    ),
    looking_up("index_select", "{0}.index_select({dim}, {1})", _select, _TENSOR, vector_into, attrs=along_attrs),
    looking_up("embedding", "F.embedding({1}, {0})", _embedding, _TABLE, _ANY_SHAPE),
    looking_up("embedding_padded", "F.embedding({1}, {0}, padding_idx=0)", _padded, _TABLE, _ANY_SHAPE),
    looking_up(
        "embedding_bag",
        "F.embedding_bag({1}, {0}, mode={mode})",
        _bag,
        _TABLE,
        table_index(lambda some: (some, Size.of(3)), lambda some: (Size.of(2), some)),
        attrs=_bag_attrs,
    ),
    looking_up(
        "embedding_bag_offsets",
        "F.embedding_bag({1}, {0}, torch.arange(0, {1}.shape[0], 2, dtype={1}.dtype, device={1}.device), mode={mode})",
        _bags_of_two,
        _TABLE,
        table_index(lambda some: (some,)),
        attrs=_bag_attrs,
    ),
    looking_up(
        "one_hot",
        "F.one_hot({0} % {classes}, {classes})",
        _classes,
        Operand(kinds=("int",), where=lambda value: value.dtype == "int64"),
        attrs=lambda choices, index: {"classes": choices.integer(1, 5)},
    ),
    looking_up(
        "one_hot_rows",
        "F.one_hot({1}, {0}.shape[0])",
        _rows_hot,
        _TENSOR,
        lambda choices, x: Type("int64", choices.pick(((length(choices),), x.shape[:1], ())), below=x.shape[0]),
    ),
    looking_up(
        "searchsorted",
        "torch.searchsorted({0}.nan_to_num().sort(-1).values, {1}.nan_to_num(), right={right})",
        _searchsorted,
        _VECTORS,
        lambda choices, x: Type(x.dtype, (*x.shape[:-1], choices.pick((length(choices), x.shape[-1])))),
        attrs=_flags("right"),
    ),
    looking_up(
        "bucketize",
        "torch.bucketize({0}.nan_to_num(), {1}.nan_to_num().sort().values, right={right}, out_int32={out_int32})",
        _bucketize,
        Operand(kinds=NUMERIC),
        lambda choices, x: Type(x.dtype, (length(choices),)),
        attrs=_flags("right", "out_int32"),
    ),
    looking_up(
        "isin",
        "torch.isin({0}, {1}, invert={invert})",
        _isin,
        Operand(kinds=NUMERIC),
        lambda choices, x: Type(x.dtype, (length(choices),)),
        attrs=_flags("invert"),
    ),
    looking_up(
        "segment_ids",
        "torch.searchsorted(({0} % 4).cumsum(0), torch.arange({1}.shape[0], device={1}.device), right=True)",
        _segments,
        Operand(kinds=("int",), ndim=(1, 1), where=lambda value: value.dtype == "int64"),
        lambda choices, lengths: Type("float32", (length(choices), Size.of(2))),
    ),
    Operation(
        name="triangle",
        family=FAMILY,
        operands=(Operand(kinds=NUMERIC, ndim=(1, 3)),),
        infer=_triangle,
        attrs=_flags("offset"),
        setup=(
            "{out}_rows, {out}_columns = torch.triu_indices("
            "{0}.shape[-1], {0}.shape[-1], int({offset}), device={0}.device)"
        ),
        source="({0}[..., :, None] - {0}[..., None, :])[..., {out}_rows, {out}_columns]",
    ),
)
