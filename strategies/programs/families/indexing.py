"""Indexing: elements, rows and tables read by index tensors, looking up in sorted values."""

import string
from collections.abc import Callable

from eagerdiff.strategies.programs.operation import (
    ANY,
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    kinds,
)
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "indexing"

_FLAGS = frozenset(("right", "out_int32", "invert", "offset", "include_self", "descending", "largest", "keepdim"))
Shape = tuple[Size, ...]
Wanted = Callable[..., Type]
_FLOAT: tuple[Kind, ...] = ("float",)


def length(choices: Choices) -> Size:
    """Draw how many indices there are: a size of its own, so that it changes apart from the tensor's."""
    return Size.of(choices.pick(("a", 3, "b", 1)))


def index_into(choices: Choices, size: Size, shape: Shape) -> Type:
    """Ask for indices into a dim of some size."""
    return Type(choices.pick(("int64", "int64", "int32")), shape, below=size)


def check_index(context: Context, index: Type, size: Size, *dtypes: str) -> None:
    """Raise IllTyped unless a tensor holds indices below a size, int64 or of one of the dtypes."""
    if index.plain or index.below != size or index.dtype not in ("int64", *dtypes):
        raise IllTyped(f"{index.dtype} below {index.below} is no index into {size}")
    # Where the size is 0, an index tensor that has the size among its own is empty.
    if size not in index.shape:
        context.need(size, 1)


def expect(value: Type, dtype: str, shape: Shape) -> None:
    """Raise IllTyped unless a tensor has a dtype and shape."""
    if value.plain or value.dtype != dtype or value.shape != shape:
        raise IllTyped(f"{value.dtype} {value.shape} is not {dtype} {shape}")


def some_dim(choices: Choices, x: Type, fits: Callable[[int], bool]) -> int:
    """Draw a dim that meets a condition, as a negative number too; raise IllTyped where none does."""
    fitting = [dim for dim in range(x.ndim) if fits(dim)]
    if not fitting:
        raise IllTyped("no dim fits")
    dim = choices.pick(fitting)
    return dim - x.ndim if choices.flag() else dim


def attributes_in(*sources: str) -> frozenset[str]:
    """Return the names of the attributes that source is written with."""
    fields = [field for source in sources for _, field, _, _ in string.Formatter().parse(source) if field]
    return frozenset(field for field in fields if not field.isdigit() and field != "out")


def check_attrs(attrs: Attrs, names: frozenset[str]) -> None:
    """Raise IllTyped unless the attributes are those of some names, and what is True or False is a bool."""
    if frozenset(attrs) != names:
        raise IllTyped(f"attributes {sorted(attrs)} are not {sorted(names)}")
    for name in _FLAGS & names:
        if not isinstance(attrs[name], bool):
            raise IllTyped(f"{name} = {attrs[name]!r} is neither True nor False")


def has_dims(value: Type) -> bool:
    """Whether a tensor has dims: eager reads a 0-d index as a Python number and gives a view."""
    return value.ndim > 0


def reading(
    name: str,
    source: str,
    wanted: tuple[Wanted, ...],
    result: Callable[..., Type],
    ndim: tuple[int, int] = (1, 4),
    allowed: tuple[Kind, ...] = ANY,
) -> Operation:
    """Describe an operation of a tensor and index tensors; `result(context, x, *indices)`."""

    def infer(context: Context, attrs: Attrs, x: Type, *indices: Type) -> Type:
        kinds(x, *allowed)
        if not ndim[0] <= x.ndim <= ndim[1]:
            raise IllTyped(f"{x.ndim} dims")
        return result(context, x, *indices)

    operands = (Operand(kinds=allowed, ndim=ndim), *(Operand(matching=each) for each in wanted))
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, source=source)


def at(dim: int, *, ndims: int = 2) -> Wanted:
    """Ask for one index tensor into a dim of the first operand."""

    def wanted(choices: Choices, x: Type, *others: Type) -> Type:
        some = length(choices)
        shapes = ((some,), x.shape[:1], (some, Size.of(2)))[: ndims + 1]
        return index_into(choices, x.shape[dim], choices.pick(shapes))

    return wanted


def rows(name: str, source: str, *rest: Callable[[Size], Size] | None, dim: int = 0) -> Operation:
    """Describe indexing of the first or second dim, with slices beside it: `rest` gives the other dims' sizes.

    None among them is a new dim; dims that are not named stay.
    """

    def result(context: Context, x: Type, index: Type) -> Type:
        check_index(context, index, x.shape[dim], "int32")
        if not has_dims(index):
            raise IllTyped("0-d index")
        others = list(x.without(dim))
        sizes = [Size.of(1) if change is None else change(others.pop(0)) for change in rest]
        shape = (*sizes[:dim], *index.shape, *sizes[dim:], *others)
        return Type(x.dtype, shape, x.below)

    return reading(name, source, (at(dim),), result, ndim=(2 if rest else 1, 4))


def _paired(place: Callable[[Type, Shape], Shape]) -> Callable[..., Type]:
    """Return the inference of two index tensors, into the first dim and another; `place` gives the result's shape."""

    def result(context: Context, x: Type, one: Type, two: Type, dim: int = 1) -> Type:
        check_index(context, one, x.shape[0], "int32")
        check_index(context, two, x.shape[dim], "int32")
        if not (has_dims(one) and has_dims(two)):
            raise IllTyped("0-d index")
        return Type(x.dtype, place(x, broadcast(one, two)), x.below)

    return result


def _like_first(dim: int) -> Wanted:
    return lambda choices, x, one: Type(one.dtype, one.shape, below=x.shape[dim])


def _apart(context: Context, x: Type, one: Type, two: Type) -> Type:
    return _paired(lambda x, shape: (*shape, x.shape[1], *x.shape[3:]))(context, x, one, two, 2)


def _outer(context: Context, x: Type, one: Type, two: Type) -> Type:
    check_index(context, one, x.shape[0], "int32")
    check_index(context, two, x.shape[1], "int32")
    if one.ndim != 1 or two.ndim != 1:
        raise IllTyped("two vectors of indices")
    return Type(x.dtype, (one.shape[0], two.shape[0], *x.shape[2:]), x.below)


def _one_each(context: Context, x: Type, index: Type) -> Type:
    check_index(context, index, x.shape[1], "int32")
    expect(index, index.dtype, x.shape[:1])
    return Type(x.dtype, (x.shape[0], *x.shape[2:]), x.below)


def _element(context: Context, x: Type, index: Type) -> Type:
    check_index(context, index, x.shape[0], "int32")
    expect(index, index.dtype, ())
    return x.view(*x.shape[1:])


def _take(context: Context, x: Type, index: Type) -> Type:
    check_index(context, index, x.numel)
    return Type(x.dtype, index.shape, x.below)


def _coordinates(context: Context, x: Type, index: Type) -> Type:
    check_index(context, index, x.numel)
    return Type("int64", (Size.of(x.ndim), *index.shape))


def _listed(context: Context, x: Type) -> Type:
    context.need(x.shape[1], 2)
    return Type(x.dtype, (x.shape[0], Size.of(4), *x.shape[2:]), x.below)


def _numel(choices: Choices, x: Type) -> Type:
    return Type("int64", choices.pick(((length(choices),), x.shape, (), (length(choices), Size.of(2)))), below=x.numel)


OPERATIONS = (
    rows("index", "{0}[{1}]"),
    rows("index_negative", "{0}[-1 - {1}]"),
    rows("index_second", "{0}[:, {1}]", lambda size: size, dim=1),
    rows("index_head", "{0}[:2, {1}]", lambda size: size.least(2), dim=1),
    rows("index_tail", "{0}[{1}, 1:]", lambda size: (size - 1).most(0)),
    rows("index_step", "{0}[{1}, ::2]", lambda size: (size + 1) // 2),
    rows("index_new_dim", "{0}[{1}, None]", None),
    reading("index_0d", "{0}[{1}]", (lambda choices, x: index_into(choices, x.shape[0], ()),), _element),
    reading(
        "index_pair", "{0}[{1}, {2}]", (at(0), _like_first(1)), _paired(lambda x, s: (*s, *x.shape[2:])), ndim=(2, 4)
    ),
    reading("index_apart", "{0}[{1}, :, {2}]", (at(0), _like_first(2)), _apart, ndim=(3, 4)),
    reading("index_outer", "{0}[{1}[:, None], {2}]", (at(0, ndims=1), at(1, ndims=1)), _outer, ndim=(2, 4)),
    reading(
        "index_one_each",
        "{0}[torch.arange({0}.shape[0], device={0}.device), {1}]",
        (lambda choices, x: index_into(choices, x.shape[1], x.shape[:1]),),
        _one_each,
        ndim=(2, 4),
    ),
    reading("index_list", "{0}[:, [0, -1, 1, 1]]", (), _listed, ndim=(2, 4)),
    reading("take", "{0}.take({1})", (_numel,), _take, ndim=(0, 4)),
    reading("unravel_index", "torch.stack(torch.unravel_index({1}, {0}.shape))", (_numel,), _coordinates),
)
