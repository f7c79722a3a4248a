"""Views and strides: the same memory under other sizes, strides and offsets."""

import itertools
from dataclasses import replace
from functools import partial

from eagerdiff.strategies.programs.attributes import whole
from eagerdiff.strategies.programs.families import reshapes, slices, strides
from eagerdiff.strategies.programs.families.one_tensor import dim_attr, dims_attr, one_tensor, pair, two_dims
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, dim_of
from eagerdiff.strategies.programs.promotion import real
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Kind, Type

FAMILY = "views"


def _same(context: Context, attrs: Attrs, x: Type) -> Type:
    return x


def _copy(context: Context, attrs: Attrs, x: Type) -> Type:
    return replace(x, overlaps=False)


def _swapped(context: Context, attrs: Attrs, x: Type) -> Type:
    shape = list(x.shape)
    one, two = dim_of(x, attrs["dim"]), dim_of(x, attrs["other"])
    shape[one], shape[two] = shape[two], shape[one]
    return x.view(*shape)


def _last_two(context: Context, attrs: Attrs, x: Type) -> Type:
    return x.view(*x.shape[:-2], *reversed(x.shape[-2:]))


def _permuted(context: Context, attrs: Attrs, x: Type) -> Type:
    order = [dim_of(x, dim) for dim in attrs["order"]]
    if sorted(order) != list(range(x.ndim)):
        raise IllTyped(f"{attrs['order']} is no order of {x.ndim} dims")
    return x.view(*(x.shape[dim] for dim in order))


def _order(choices: Choices, x: Type) -> Attrs:
    return {"order": choices.pick(list(itertools.permutations(range(x.ndim)))[::-1])}


def _moved(context: Context, attrs: Attrs, x: Type) -> Type:
    shape = list(x.shape)
    shape.insert(dim_of(x, attrs["other"]), shape.pop(dim_of(x, attrs["dim"])))
    return x.view(*shape)


def _flipped(context: Context, attrs: Attrs, x: Type) -> Type:
    if len({dim_of(x, dim) for dim in attrs["dims"]}) != len(attrs["dims"]):
        raise IllTyped("a dim is named twice")
    return replace(x, overlaps=False)


def _rotated(context: Context, attrs: Attrs, x: Type) -> Type:
    one, two = pair(x, attrs)
    result = replace(x, overlaps=False)
    return _swapped(context, {"dim": one, "other": two}, result) if whole(attrs["times"], -4, 4) % 2 else result


def _triangle(context: Context, attrs: Attrs, x: Type) -> Type:
    whole(attrs["offset"], -4, 4)
    return x.of()


def _offset(choices: Choices, x: Type) -> Attrs:
    return {"offset": choices.integer(-3, 3)}


def _diagonal(context: Context, attrs: Attrs, x: Type) -> Type:
    one, two = pair(x, attrs)
    offset = whole(attrs["offset"], -4, 4)
    rows, columns = x.shape[one] + min(offset, 0), x.shape[two] - max(offset, 0)
    rest = [size for at, size in enumerate(x.shape) if at not in (one, two)]
    return x.view(*rest, rows.least(columns).most(0))


def _windows(context: Context, attrs: Attrs, x: Type) -> Type:
    dim, size, step = dim_of(x, attrs["dim"]), whole(attrs["size"], 1, 8), whole(attrs["step"], 1, 8)
    context.need(x.shape[dim], size)
    found = x.view(*x.with_dim(dim, (x.shape[dim] - size) // step + 1), Size.of(size))
    return replace(found, overlaps=x.overlaps or step < size)


def _real(context: Context, attrs: Attrs, x: Type) -> Type:
    return Type(real(x.dtype), x.shape, overlaps=x.overlaps)


def _real_pairs(context: Context, attrs: Attrs, x: Type) -> Type:
    return Type(real(x.dtype), (*x.shape, Size.of(2)), overlaps=x.overlaps)


def _complex_pairs(context: Context, attrs: Attrs, x: Type) -> Type:
    dtype = {"float64": "complex128", "float32": "complex64"}.get(x.dtype)
    if dtype is None:
        raise IllTyped(f"no complex numbers of {x.dtype}")
    return Type(dtype, (*x.shape[:-1], x.shape[-1] // 2))


view = partial(one_tensor, FAMILY)

_MATRIX = (2, 2)
_BATCH = (2, 4)
_COMPLEX: tuple[Kind, ...] = ("complex",)

OPERATIONS = (
    *reshapes.OPERATIONS,
    *slices.OPERATIONS,
    *strides.OPERATIONS,
    *(view(name, f"{{0}}.{name}({{dim}}, {{other}})", _swapped, two_dims) for name in ("transpose", "swapaxes")),
    view("T", "{0}.T", _last_two, ndim=_MATRIX),
    view("t", "{0}.t()", lambda context, attrs, x: x.view(*reversed(x.shape)), ndim=(0, 2)),
    view("mT", "{0}.mT", _last_two, ndim=_BATCH),
    view("mH", "{0}.mH", _last_two, ndim=_BATCH),
    view("permute", "{0}.permute({order})", _permuted, _order),
    view("movedim", "{0}.movedim({dim}, {other})", _moved, two_dims),
    view("flip", "{0}.flip({dims})", _flipped, dims_attr),
    view("fliplr", "torch.fliplr({0})", _copy, ndim=_BATCH),
    view("flipud", "torch.flipud({0})", _copy, ndim=(1, 4)),
    view(
        "rot90",
        "torch.rot90({0}, {times}, ({dim}, {other}))",
        _rotated,
        lambda choices, x: {**two_dims(choices, x), "times": choices.pick((1, 2, 3, -1))},
        ndim=_BATCH,
    ),
    *(view(name, f"{{0}}.{name}({{offset}})", _triangle, _offset, ndim=_BATCH) for name in ("tril", "triu")),
    view(
        "diagonal",
        "{0}.diagonal({offset}, {dim}, {other})",
        _diagonal,
        lambda choices, x: {**two_dims(choices, x), **_offset(choices, x)},
        ndim=_BATCH,
    ),
    view(
        "unfold",
        "{0}.unfold({dim}, {size}, {step})",
        _windows,
        lambda choices, x: {**dim_attr(choices, x), "size": choices.integer(1, 4), "step": choices.integer(1, 4)},
        ndim=(1, 4),
    ),
    view("contiguous", "{0}.contiguous()", _copy),
    view("clone", "{0}.clone()", _copy),
    view("clone_contiguous", "{0}.clone(memory_format=torch.contiguous_format)", _copy),
    view("channels_last", "{0}.contiguous(memory_format=torch.channels_last)", _copy, ndim=(4, 4)),
    view("view_as_real", "torch.view_as_real({0}.resolve_conj())", _real_pairs, allowed=_COMPLEX),
    view("real", "{0}.real", _real, allowed=_COMPLEX),
    view("imag", "{0}.imag", _real, allowed=_COMPLEX),
    view("conj", "{0}.conj()", _same, allowed=_COMPLEX),
    view(
        "view_as_complex",
        "torch.view_as_complex({out}.unflatten(-1, (-1, 2)).clone(memory_format=torch.contiguous_format))",
        _complex_pairs,
        ndim=(1, 4),
        allowed=("float",),
        where=lambda x: x.dtype in ("float32", "float64"),
        setup="{out} = {0}[..., : {0}.shape[-1] // 2 * 2]",
    ),
)
