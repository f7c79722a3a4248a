"""Views with other dims: squeezed, flattened, merged, split."""

from functools import partial

from eagerdiff.strategies.programs.attributes import divided, is_multiple, whole
from eagerdiff.strategies.programs.families.one_tensor import dims_attr, one_tensor
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, dim_of
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FACTORS = (2, 3, 4)


def _unsqueezed(context: Context, attrs: Attrs, x: Type) -> Type:
    at = whole(attrs["dim"], -x.ndim - 1, x.ndim) % (x.ndim + 1)
    return x.view(*x.shape[:at], Size.of(1), *x.shape[at:])


def _squeezed(context: Context, attrs: Attrs, x: Type) -> Type:
    dims = {dim_of(x, dim) for dim in attrs["dims"]} if "dims" in attrs else range(x.ndim)
    if "dims" in attrs and len(dims) != len(attrs["dims"]):
        raise IllTyped("a dim is named twice")
    kept: list[Size] = []
    for at, size in enumerate(x.shape):
        if at in dims and size.constant is None:
            # How many dims are left must not depend on the sizes.
            context.need(size, 2)
        if at not in dims or size.constant != 1:
            kept.append(size)
    return x.view(*kept)


def _flat(context: Context, attrs: Attrs, x: Type) -> Type:
    return x.view(x.numel)


def _merged(context: Context, attrs: Attrs, x: Type) -> Type:
    first = dim_of(x, attrs["first"])
    if first + 1 == x.ndim:
        raise IllTyped("no dim to merge with")
    return x.view(*x.shape[:first], x.shape[first] * x.shape[first + 1], *x.shape[first + 2 :])


def _kept_dim(context: Context, attrs: Attrs, x: Type, *, last: bool) -> Type:
    kept, rest = (x.shape[-1], x.shape[:-1]) if last else (x.shape[0], x.shape[1:])
    # A dim of 0 leaves -1 without a meaning.
    context.need(kept, 1)
    merged = Type(x.dtype, rest).numel
    return x.view(merged, kept) if last else x.view(kept, merged)


def _reversed(context: Context, attrs: Attrs, x: Type) -> Type:
    return x.view(*reversed(x.shape))


def _split(context: Context, attrs: Attrs, x: Type) -> Type:
    dim, factor = dim_of(x, attrs["dim"]), whole(attrs["factor"], 1, 8)
    outer = divided(x.shape[dim], factor)
    return x.view(*x.shape[:dim], outer, Size.of(factor), *x.shape[dim + 1 :])


def _split_attrs(choices: Choices, x: Type) -> Attrs:
    fitting = [(dim, by) for by in (*FACTORS, 1) for dim in range(x.ndim) if is_multiple(x.shape[dim], by)]
    dim, factor = choices.pick(fitting)
    return {"dim": dim, "factor": factor}


def _divisible(x: Type) -> bool:
    return any(is_multiple(size, factor) for size in x.shape for factor in FACTORS)


def _cropped(context: Context, attrs: Attrs, x: Type) -> Type:
    factor = whole(attrs["factor"], 2, 8)
    return x.view(*x.shape[:-1], x.shape[-1] // factor, Size.of(factor))


reshape = partial(one_tensor, "views")

OPERATIONS = (
    reshape(
        "unsqueeze",
        "{0}.unsqueeze({dim})",
        _unsqueezed,
        lambda choices, x: {"dim": choices.integer(-x.ndim - 1, x.ndim)},
    ),
    reshape("squeeze", "{0}.squeeze({dims})", _squeezed, dims_attr),
    reshape("squeeze_all", "{0}.squeeze()", _squeezed),
    reshape("flatten", "{0}.flatten()", _flat),
    reshape("ravel", "{0}.ravel()", _flat),
    reshape("reshape_flat", "{0}.reshape(-1)", _flat),
    reshape("view_flat", "{0}.contiguous().view({0}.numel())", _flat),
    reshape(
        "flatten_two",
        "{0}.flatten({first}, {first} + 1)",
        _merged,
        lambda choices, x: {"first": choices.integer(0, x.ndim - 2)},
        ndim=(2, 4),
    ),
    reshape(
        "reshape_two",
        "{0}.reshape({0}.shape[0] * {0}.shape[1], *{0}.shape[2:])",
        lambda context, attrs, x: _merged(context, {"first": 0}, x),
        ndim=(2, 4),
    ),
    reshape("reshape_rows", "{0}.reshape(-1, {0}.shape[-1])", partial(_kept_dim, last=True), ndim=(1, 4)),
    reshape("reshape_batch", "{0}.reshape({0}.shape[0], -1)", partial(_kept_dim, last=False), ndim=(1, 4)),
    reshape("view_rows", "{0}.contiguous().view(-1, {0}.size(-1))", partial(_kept_dim, last=True), ndim=(1, 4)),
    reshape("reshape_reversed", "{0}.reshape({0}.shape[::-1])", _reversed, ndim=(1, 4)),
    reshape("view_reversed", "{0}.contiguous().view({0}.size(1), {0}.size(0))", _reversed, ndim=(2, 2)),
    reshape("view_same", "{0}.view({0}.shape)", lambda context, attrs, x: x),
    *(
        reshape(name, f"{{0}}.unflatten({{dim}}, ({outer}, {{factor}}))", _split, _split_attrs, where=_divisible)
        for name, outer in (("unflatten", "-1"), ("unflatten_sizes", "{0}.shape[{dim}] // {factor}"))
    ),
    reshape(
        "crop_and_unflatten",
        "{0}[..., : {0}.shape[-1] // {factor} * {factor}].unflatten(-1, (-1, {factor}))",
        _cropped,
        lambda choices, x: {"factor": choices.pick(FACTORS)},
        ndim=(1, 4),
    ),
)
