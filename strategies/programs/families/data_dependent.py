"""Tensors whose sizes depend on data: nonzero, unique, masked_select, repeat_interleave, bincount."""

from eagerdiff.strategies.programs.operation import (
    Attrs,
    Context,
    IllTyped,
    Operand,
    Operation,
    dim_of,
    kinds,
    same_shape,
)
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "data_dependent"
_REAL: tuple[Kind, ...] = ("float", "int", "bool")
_INT: tuple[Kind, ...] = ("int",)

MASK = Operand(matching=lambda choices, x: Type("bool", x.shape))
ROW_MASK = Operand(matching=lambda choices, x: Type("bool", x.shape[:1]))


def check_row_mask(x: Type, mask: Type) -> None:
    """Raise IllTyped unless a mask has an element for every row of x."""
    kinds(mask, "bool")
    if not x.ndim or mask.shape != x.shape[:1]:
        raise IllTyped("not a mask of the rows")


def by_mask(name: str, source: str) -> Operation:
    """Describe an operation that gives the elements under a mask, in one dim."""

    def infer(context: Context, attrs: Attrs, x: Type, mask: Type) -> Type:
        kinds(mask, "bool")
        same_shape(x, mask)
        return x.of(shape=(context.fresh(),))

    return Operation(name=name, family=FAMILY, operands=(Operand(ndim=(1, 4)), MASK), infer=infer, source=source)


def by_rows(name: str, source: str) -> Operation:
    """Describe an operation that gives the rows under a mask."""

    def infer(context: Context, attrs: Attrs, x: Type, mask: Type) -> Type:
        check_row_mask(x, mask)
        return x.of(shape=(context.fresh(), *x.shape[1:]))

    return Operation(name=name, family=FAMILY, operands=(Operand(ndim=(1, 4)), ROW_MASK), infer=infer, source=source)


def counted(name: str, source: str, allowed: tuple[Kind, ...], results: int) -> Operation:
    """Describe a way of finding distinct elements, with where each went, and how many there are of each."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type | tuple[Type, ...]:
        kinds(x, *allowed)
        size = context.fresh()
        inverse, counts = Type("int64", x.shape, below=size), Type("int64", (size,))
        return (x.of(shape=(size,)), inverse, counts)[:results] if results > 1 else x.of(shape=(size,))

    return Operation(
        name=name,
        family=FAMILY,
        operands=(Operand(kinds=allowed),),
        infer=infer,
        source=source,
        results=results,
        gradients=False,
    )


def _nonzero(context: Context, attrs: Attrs, x: Type) -> Type:
    below = x.shape[0] if x.ndim == 1 else None
    return Type("int64", (context.fresh(), Size.of(x.ndim)), below=below)


def _nonzero_of_two(context: Context, attrs: Attrs, x: Type) -> tuple[Type, Type]:
    if x.ndim != 2:
        raise IllTyped("two dims needed")
    size = context.fresh()
    return Type("int64", (size,), below=x.shape[0]), Type("int64", (size,), below=x.shape[1])


def _where_of_one(context: Context, attrs: Attrs, x: Type) -> Type:
    if x.ndim != 1:
        raise IllTyped("one dim needed")
    return Type("int64", (context.fresh(),), below=x.shape[0])


def _partition(context: Context, attrs: Attrs, x: Type, mask: Type) -> Type:
    check_row_mask(x, mask)
    context.fresh()
    context.fresh()
    return x.of()


def _reduced_rows(context: Context, attrs: Attrs, x: Type, mask: Type) -> Type:
    check_row_mask(x, mask)
    kinds(x, "float")
    context.fresh()
    return x.of(shape=x.shape[1:])


def _written(context: Context, attrs: Attrs, x: Type, mask: Type) -> Type:
    check_row_mask(x, mask)
    kinds(x, "float", "int")
    if x.below is not None:
        raise IllTyped("indices are not written: their bound would no longer hold")
    context.fresh()
    return x


def _unique_rows(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "int", "bool")
    for size in x.shape:
        context.need(size, 1)
    return x.of(shape=(context.fresh(), *x.shape[1:]))


def _unique_indexed(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "float", "int", "bool")
    context.fresh()
    return x.of()


def _repeated(context: Context, attrs: Attrs, x: Type, counts: Type) -> Type:
    kinds(counts, "int")
    dim = dim_of(x, attrs["dim"])
    if counts.dtype not in ("int64", "int32") or counts.shape != (x.shape[dim],):
        raise IllTyped("a count for every element needed")
    return x.of(shape=x.with_dim(dim, context.fresh()))


def _repeats(context: Context, attrs: Attrs, counts: Type) -> Type:
    if counts.dtype not in ("int64", "int32") or counts.ndim != 1:
        raise IllTyped("counts are integers in one dim")
    return counts.of(shape=(context.fresh(),))


def _bins(context: Context, attrs: Attrs, x: Type) -> Type:
    kinds(x, "int")
    if x.ndim != 1:
        raise IllTyped("one dim needed")
    return Type("int64", (context.fresh(),))


def _eight_bins(context: Context, attrs: Attrs, x: Type) -> Type:
    return _bins(context, attrs, x).of(shape=(Size.of(8),))


_MASKS = Operand(kinds=("bool",), ndim=(1, 1))
_ROWS = Operand(ndim=(1, 4))


def _operation(name: str, source: str, infer: object, *operands: Operand, **options: object) -> Operation:
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source, **options)  # pyright: ignore[reportArgumentType]


OPERATIONS = (
    _operation("nonzero", "{0}.nonzero()", _nonzero, Operand()),
    _operation("argwhere", "torch.argwhere({0})", _nonzero, Operand(ndim=(1, 4))),
    _operation("nonzero_as_tuple", "{0}.nonzero(as_tuple=True)", _nonzero_of_two, Operand(ndim=(2, 2)), results=2),
    _operation("where_mask", "torch.where({0})[0]", _where_of_one, _MASKS),
    _operation("flatnonzero", "{0}.nonzero().squeeze(1)", _where_of_one, _MASKS),
    by_mask("masked_select", "torch.masked_select({0}, {1})"),
    by_mask("index_mask", "{0}[{1}]"),
    by_rows("index_row_mask", "{0}[{1}]"),
    by_rows("index_row_nonzero", "{0}.index_select(0, {1}.nonzero().squeeze(-1))"),
    by_rows("index_row_where", "{0}[torch.where({1})]"),
    _operation("partition_rows", "torch.cat(({0}[{1}], {0}[~{1}]))", _partition, _ROWS, ROW_MASK),
    _operation("sum_of_rows", "{0}[{1}].sum(0)", _reduced_rows, Operand(kinds=("float",), ndim=(1, 4)), ROW_MASK),
    _operation(
        "masked_mean_of_rows",
        "{0}[{1}].sum(0) / {1}.sum().clamp(min=1)",
        _reduced_rows,
        Operand(kinds=("float",), ndim=(1, 4)),
        ROW_MASK,
    ),
    _operation(
        "scale_rows",
        "{0}",
        _written,
        Operand(kinds=("float", "int"), ndim=(1, 4), where=lambda x: not x.overlaps and x.below is None),
        ROW_MASK,
        setup="{0}[{1}] *= 2",
        writes=(0,),
    ),
    counted("unique", "torch.unique({0})", _REAL, 1),
    counted("unique_inverse_counts", "torch.unique({0}, return_inverse=True, return_counts=True)", _REAL, 3),
    counted("unique_consecutive", "torch.unique_consecutive({0})", _REAL, 1),
    counted(
        "unique_consecutive_counts",
        "torch.unique_consecutive({0}, return_inverse=True, return_counts=True)",
        _REAL,
        3,
    ),
    _operation("unique_rows", "torch.unique({0}, dim=0)", _unique_rows, Operand(kinds=("int", "bool"), ndim=(1, 3))),
    _operation(
        "unique_then_index",
        "{out}_values[{out}_inverse]",
        _unique_indexed,
        Operand(kinds=_REAL),
        setup="{out}_values, {out}_inverse = torch.unique({0}, return_inverse=True)",
    ),
    _operation(
        "repeat_interleave_counts",
        "{0}.repeat_interleave({1} & 3, dim={dim})",
        _repeated,
        _ROWS,
        Operand(matching=lambda choices, x: Type("int64", (x.shape[choices.dim(x)],))),
        attrs=lambda choices, x, counts: {
            "dim": choices.pick([dim for dim in range(x.ndim) if x.shape[dim] == counts.shape[0]])
        },
    ),
    _operation(
        "repeat_interleave_indices",
        "torch.repeat_interleave({0} & 3)",
        _repeats,
        Operand(kinds=_INT, ndim=(1, 1), where=lambda x: x.dtype in ("int64", "int32")),
    ),
    _operation("bincount", "torch.bincount({0} & 7)", _bins, Operand(kinds=_INT, ndim=(1, 1))),
    _operation(
        "bincount_minlength", "torch.bincount({0} & 7, minlength=8)", _eight_bins, Operand(kinds=_INT, ndim=(1, 1))
    ),
)
