"""Shape: joining, splitting, padding, repeating, rearranging into new memory."""

from dataclasses import replace
from functools import partial

from eagerdiff.strategies.programs.attributes import divided, is_multiple, whole, wholes
from eagerdiff.strategies.programs.families import joining, padding
from eagerdiff.strategies.programs.families.one_tensor import Draw, Rule, dim_attr, one_tensor
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, dim_of
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "shape"
MOST_PIECES = 8


def pieces(x: Type, dim: int, sizes: list[Size]) -> tuple[Type, ...]:
    """Return the types of views that divide a dim."""
    return tuple(x.view(*x.with_dim(dim, size)) for size in sizes)


def _chunks(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim, count = dim_of(x, attrs["dim"]), whole(attrs["count"], 2, MOST_PIECES)
    size = x.shape[dim]
    if is_multiple(size, count):
        return pieces(x, dim, [divided(size, count)] * count)
    # With fewer elements there may be fewer chunks than asked for.
    context.need(size, (count - 1) ** 2 + 1)
    each = (size + (count - 1)) // count
    return pieces(x, dim, [*[each] * (count - 1), size - each * (count - 1)])


def _even_chunks(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim, count = dim_of(x, attrs["dim"]), whole(attrs["count"], 2, MOST_PIECES)
    return pieces(x, dim, [(x.shape[dim] + (count - 1 - at)) // count for at in range(count)])


def _chunk_attrs(choices: Choices, x: Type) -> Attrs:
    return {"dim": choices.dim(x), "count": choices.integer(2, 4)}


def _first_chunk(context: Context, attrs: Attrs, x: Type) -> Type:
    dim, count = dim_of(x, attrs["dim"]), whole(attrs["count"], 2, MOST_PIECES)
    return x.view(*x.with_dim(dim, (x.shape[dim] + (count - 1)) // count))


def _cut(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim, at = dim_of(x, attrs["dim"]), whole(attrs["at"], 0, MOST_PIECES)
    context.need(x.shape[dim], at)
    return pieces(x, dim, [Size.of(at), x.shape[dim] - at])


def _cut_anywhere(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim, at = dim_of(x, attrs["dim"]), whole(attrs["at"], 0, MOST_PIECES)
    size = x.shape[dim]
    return pieces(x, dim, [size.least(at), (size - at).most(0)])


def _cut_attrs(choices: Choices, x: Type) -> Attrs:
    return {"dim": choices.dim(x), "at": choices.integer(0, 3)}


def _halves(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim = dim_of(x, attrs["dim"])
    return pieces(x, dim, [x.shape[dim] // 2, x.shape[dim] - x.shape[dim] // 2])


def _unbound(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim, count = dim_of(x, attrs["dim"]), whole(attrs["count"], 2, MOST_PIECES)
    if x.shape[dim].constant != count:
        raise IllTyped(f"{x.shape[dim]} is not {count}")
    return (x.view(*x.without(dim)),) * count


def _fixed(x: Type) -> list[int]:
    """Return the dims that have a constant size of 2 or more, and few elements."""
    return [at for at, size in enumerate(x.shape) if size.constant is not None and 2 <= size.constant <= MOST_PIECES]


def _has_fixed(x: Type) -> bool:
    return bool(_fixed(x))


def _unbind_attrs(choices: Choices, x: Type) -> Attrs:
    dim = choices.pick(_fixed(x))
    return {"dim": dim, "count": x.shape[dim].constant}


def _split(context: Context, attrs: Attrs, x: Type) -> tuple[Type, ...]:
    dim, each, count = dim_of(x, attrs["dim"]), whole(attrs["each"], 1, MOST_PIECES), attrs["count"]
    size = x.shape[dim].constant
    # How many pieces there are must not depend on the sizes.
    if size is None or -(-size // each) != whole(count, 2, MOST_PIECES):
        raise IllTyped(f"{x.shape[dim]} does not give {count} pieces of {each}")
    return pieces(x, dim, [Size.of(min(each, size - start)) for start in range(0, size, each)])


def _split_attrs(choices: Choices, x: Type) -> Attrs:
    dim = choices.pick(_fixed(x))
    size = x.shape[dim].constant or 2
    each = choices.integer(1, size - 1)
    return {"dim": dim, "each": each, "count": -(-size // each)}


def _rolled(context: Context, attrs: Attrs, x: Type) -> Type:
    whole(attrs.get("shift", 0), -64, 64)
    dim_of(x, attrs["dim"])
    return replace(x, overlaps=False)


def _rolled_flat(context: Context, attrs: Attrs, x: Type) -> Type:
    whole(attrs["shift"], -64, 64)
    return replace(x, overlaps=False)


def _shift(choices: Choices, x: Type) -> Attrs:
    return {"shift": choices.integer(-3, 5)}


def _repeated(context: Context, attrs: Attrs, x: Type) -> Type:
    times = wholes(attrs["times"], 0, 4)
    if len(times) < x.ndim:
        raise IllTyped(f"{len(times)} counts for {x.ndim} dims")
    return _tiled(context, attrs, x)


def _tiled(context: Context, attrs: Attrs, x: Type) -> Type:
    times, ndim = wholes(attrs["times"], 0, 4), max(len(attrs["times"]), x.ndim)
    counts = (1,) * (ndim - len(times)) + times
    shape = (Size.of(1),) * (ndim - x.ndim) + x.shape
    return Type(x.dtype, tuple(size * count for size, count in zip(shape, counts, strict=True)), x.below)


def _times(choices: Choices, x: Type) -> Attrs:
    return {"times": tuple(choices.pick((1, 2, 0, 3)) for _ in range(x.ndim + choices.integer(0, 1)))}


def _tile_times(choices: Choices, x: Type) -> Attrs:
    return {"times": tuple(choices.pick((2, 1, 0)) for _ in range(choices.integer(1, 2)))}


def _interleaved(context: Context, attrs: Attrs, x: Type) -> Type:
    dim, count = dim_of(x, attrs["dim"]), whole(attrs["count"], 0, 4)
    return Type(x.dtype, x.with_dim(dim, x.shape[dim] * count), x.below)


def _interleaved_flat(context: Context, attrs: Attrs, x: Type) -> Type:
    return Type(x.dtype, (x.numel * whole(attrs["count"], 0, 4),), x.below)


def _count(choices: Choices, x: Type) -> Attrs:
    return {"count": choices.integer(0, 3)}


def _at_least(context: Context, attrs: Attrs, x: Type, *, ndim: int) -> Type:
    one = Size.of(1)
    if ndim == 3 and x.ndim in (1, 2):
        return x.view(one, x.shape[0], one) if x.ndim == 1 else x.view(*x.shape, one)
    return x.view(*(one,) * (ndim - x.ndim), *x.shape)


def _embedded(context: Context, attrs: Attrs, x: Type) -> Type:
    size = x.shape[-1] + abs(whole(attrs["offset"], -4, 4))
    return x.of(shape=(*x.shape[:-1], size, size))


def _offset(choices: Choices, x: Type) -> Attrs:
    return {"offset": choices.integer(-2, 2)}


def _image(choices: Choices) -> Type:
    """Ask for images whose channels and sides divide by 4 and 2."""
    sizes = choices.pick((("a", 4, "2*b", "2*b"), ("a", 4, 2, "2*b"), (4, "2*a", "2*b"), ("a", "4*b", 2, 4)))
    return Type(choices.pick(("float32", "float16", "int64")), tuple(map(Size.of, sizes)))


def _shuffled(context: Context, attrs: Attrs, x: Type) -> Type:
    if x.plain or x.ndim < 3:
        raise IllTyped("no image")
    *batch, channels, height, width = x.shape
    return x.of(shape=(*batch, divided(channels, 4), height * 2, width * 2))


def _unshuffled(context: Context, attrs: Attrs, x: Type) -> Type:
    if x.plain or x.ndim < 3:
        raise IllTyped("no image")
    *batch, channels, height, width = x.shape
    for size in x.shape:
        # Eager gives an empty tensor back in its old shape.
        context.need(size, 1)
    return x.of(shape=(*batch, channels * 4, divided(height, 2), divided(width, 2)))


def _mixed_channels(context: Context, attrs: Attrs, x: Type) -> Type:
    if x.plain or x.ndim < 3:
        raise IllTyped("no image")
    divided(x.shape[1], 2)
    return x.of()


def image(name: str, source: str, infer: Rule) -> Operation:
    """Describe an operation of images."""
    return Operation(name=name, family=FAMILY, operands=(Operand(matching=_image),), infer=infer, source=source)


def _pieces_of(attrs: Attrs) -> int:
    return attrs["count"]


def _dim_and(draw: Draw) -> Draw:
    return lambda choices, x: {**dim_attr(choices, x), **draw(choices, x)}


shape = partial(one_tensor, FAMILY, ndim=(1, 4))
cut = partial(shape, results=2)
any_shape = partial(one_tensor, FAMILY)

OPERATIONS = (
    *joining.OPERATIONS,
    *padding.OPERATIONS,
    shape("chunk", "{0}.chunk({count}, {dim})", _chunks, _chunk_attrs, results=_pieces_of),
    shape("chunk_first", "{0}.chunk({count}, {dim})[0]", _first_chunk, _chunk_attrs),
    shape("tensor_split", "{0}.tensor_split({count}, {dim})", _even_chunks, _chunk_attrs, results=_pieces_of),
    cut("tensor_split_at", "{0}.tensor_split(({at},), {dim})", _cut_anywhere, _cut_attrs),
    cut("split_sizes", "{0}.split([{at}, {0}.shape[{dim}] - {at}], {dim})", _cut, _cut_attrs),
    cut(
        "split_halves",
        "{0}.split([{0}.shape[{dim}] // 2, {0}.shape[{dim}] - {0}.shape[{dim}] // 2], {dim})",
        _halves,
        dim_attr,
    ),
    shape("split", "{0}.split({each}, {dim})", _split, _split_attrs, results=_pieces_of, where=_has_fixed),
    shape("unbind", "{0}.unbind({dim})", _unbound, _unbind_attrs, results=_pieces_of, where=_has_fixed),
    shape("roll", "{0}.roll({shift}, {dim})", _rolled, _dim_and(_shift)),
    shape("roll_half", "{0}.roll({0}.shape[{dim}] // 2, {dim})", _rolled, dim_attr),
    any_shape("roll_flat", "{0}.roll({shift})", _rolled_flat, _shift),
    any_shape("repeat", "{0}.repeat({times})", _repeated, _times),
    any_shape("tile", "{0}.tile({times})", _tiled, _tile_times),
    shape("repeat_each", "{0}.repeat_interleave({count}, {dim})", _interleaved, _dim_and(_count)),
    any_shape("repeat_each_flat", "{0}.repeat_interleave({count})", _interleaved_flat, _count),
    *(
        any_shape(f"atleast_{ndim}d", f"torch.atleast_{ndim}d({{0}})", partial(_at_least, ndim=ndim))
        for ndim in (1, 2, 3)
    ),
    shape("diag_embed", "torch.diag_embed({0}, {offset})", _embedded, _offset),
    image("pixel_shuffle", "F.pixel_shuffle({0}, 2)", _shuffled),
    image("pixel_unshuffle", "F.pixel_unshuffle({0}, 2)", _unshuffled),
    image("channel_shuffle", "torch.channel_shuffle({0}, 2)", _mixed_channels),
)
