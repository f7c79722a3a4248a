"""Padding in every mode, cropping as padding by less than nothing."""

from collections.abc import Callable, Iterable
from functools import partial

from eagerdiff.strategies.programs.attributes import real_number, whole, wholes
from eagerdiff.strategies.programs.families.one_tensor import one_tensor
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operation
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "shape"
FARTHEST = 8


def pads(x: Type, attrs: Attrs, least: int) -> list[tuple[int, int, int]]:
    """Return (dim, before, after) from the last dim on; raise IllTyped where the attribute is no padding of x."""
    flat = wholes(attrs["pad"], least, FARTHEST)
    if len(flat) % 2 or len(flat) > 2 * x.ndim:
        raise IllTyped(f"no padding of {x.ndim} dims: {flat}")
    return [(x.ndim - 1 - at, flat[2 * at], flat[2 * at + 1]) for at in range(len(flat) // 2)]


def padded(x: Type, pads: Iterable[tuple[int, int, int]]) -> tuple[Size, ...]:
    """Return the shape after padding."""
    shape = list(x.shape)
    for dim, before, after in pads:
        shape[dim] = shape[dim] + (before + after)
    return tuple(shape)


def _constant(context: Context, attrs: Attrs, x: Type) -> Type:
    real_number(attrs["value"])
    found = pads(x, attrs, -FARTHEST)
    for dim, before, after in found:
        # Cropped on one side, then on the other.
        context.need(x.shape[dim], max(-before, -after, -before - after, 0))
    return x.of(shape=padded(x, found))


def _constant_attrs(choices: Choices, x: Type) -> Attrs:
    count = 2 * choices.integer(1, min(x.ndim, 2))
    value = choices.integer(0, 3) if x.kind != "float" else choices.number()
    return {"pad": tuple(choices.integer(-1, 2) for _ in range(count)), "value": value}


def _need_non_empty(context: Context, x: Type, dims: int) -> None:
    """Ask for what the kernels of `reflect` and `replicate` ask for: only the batch may be empty."""
    for size in x.shape[-dims - 1 :]:
        context.need(size, 1)


def mode(name: str, least: Callable[[int], int]) -> list[Operation]:
    """Describe a mode for the last dim and for the last two; `least(pad)`: elements that a padding takes."""

    def infer(context: Context, attrs: Attrs, x: Type, *, dims: int) -> Type:
        found = pads(x, attrs, 0)
        if len(found) != dims:
            raise IllTyped(f"{dims} dims are padded")
        for dim, before, after in found:
            context.need(x.shape[dim], least(max(before, after)))
        if name != "circular":
            _need_non_empty(context, x, dims)
        return x.of(shape=padded(x, found))

    def attrs(choices: Choices, x: Type, *, dims: int) -> Attrs:
        return {"pad": tuple(choices.integer(0, 3) for _ in range(2 * dims))}

    return [
        one_tensor(
            FAMILY,
            f"pad_{name}_{dims}d",
            f"F.pad({{0}}, {{pad}}, mode='{name}')",
            partial(infer, dims=dims),
            partial(attrs, dims=dims),
            ndim=(dims + 1, dims + 2),
            allowed=("float", "int", "complex"),
        )
        for dims in (1, 2)
    ]


def _to_multiple(context: Context, attrs: Attrs, x: Type) -> Type:
    factor = whole(attrs["factor"], 2, 16)
    return x.of(shape=x.with_dim(-1, (x.shape[-1] + (factor - 1)) // factor * factor))


def _causal(context: Context, attrs: Attrs, x: Type) -> Type:
    context.need(x.shape[0], 1)
    return x.of()


OPERATIONS = (
    one_tensor(FAMILY, "pad_constant", "F.pad({0}, {pad}, value={value})", _constant, _constant_attrs, ndim=(1, 4)),
    *mode("reflect", lambda pad: pad + 1),
    *mode("replicate", lambda pad: 1),
    *mode("circular", lambda pad: pad),
    one_tensor(
        FAMILY,
        "pad_up",
        "F.pad({0}, (0, -{0}.shape[-1] % {factor}))",
        _to_multiple,
        lambda choices, x: {"factor": choices.pick((2, 4, 8))},
        ndim=(1, 4),
    ),
    one_tensor(FAMILY, "shift_right", "F.pad({0}, (0, 0, 1, -1))", _causal, ndim=(2, 2)),
)
