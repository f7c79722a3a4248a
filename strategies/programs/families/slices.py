"""Slices and indices that are constants, halves of a dim, or Python numbers."""

from collections.abc import Callable
from functools import partial
from typing import Any

from eagerdiff.strategies.programs.attributes import number_of, whole
from eagerdiff.strategies.programs.families.one_tensor import dim_attr, one_tensor
from eagerdiff.strategies.programs.operation import Attrs, Choices, Context, IllTyped, Operand, Operation, dim_of
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import Type

FAMILY = "views"
FARTHEST = 8


def at(dim: int, text: str) -> str:
    """Write an index at a dim: `[:, 1:]`, or `[..., 1:, :]` for dims from the right."""
    return f"[{':, ' * dim}{text}]" if dim >= 0 else f"[..., {text}{', :' * (-dim - 1)}]"


def bound(size: Size, position: int) -> Size:
    """Return where a slice's bound stands in a dim: from the right where negative, never outside."""
    if position >= 0:
        return Size.of(position) if size.lowest is not None and size.lowest >= position else size.least(position)
    moved = size + position
    return moved if moved.lowest is not None and moved.lowest >= 0 else moved.most(0)


def length(size: Size, start: int | None, stop: int | None, step: int | None) -> Size:
    """Return how many elements a slice has."""
    low = bound(size, start or 0)
    high = size if stop is None else bound(size, stop)
    between = high - low
    if between.lowest is None or between.lowest < 0:
        between = between.most(0)
    return between if step in (None, 1) else (between + (step - 1)) // step


def _bound_attr(value: Any) -> int | None:
    return None if value is None else whole(value, -FARTHEST, FARTHEST)


def _sliced(context: Context, attrs: Attrs, x: Type) -> Type:
    start, stop = _bound_attr(attrs["start"]), _bound_attr(attrs["stop"])
    step = None if attrs["step"] is None else whole(attrs["step"], 1, FARTHEST)
    dim = dim_of(x, attrs["dim"])
    return x.view(*x.with_dim(dim, length(x.shape[dim], start, stop, step)))


def _slice_text(attrs: Attrs, x: str) -> str:
    start, stop, step = ("" if attrs[name] is None else repr(attrs[name]) for name in ("start", "stop", "step"))
    return x + at(attrs["dim"], f"{start}:{stop}" + (f":{step}" if step else ""))


def _slice_attrs(choices: Choices, x: Type) -> Attrs:
    start, stop = (choices.pick((None, choices.integer(-4, 4))) for _ in range(2))
    return {"dim": choices.dim(x), "start": start, "stop": stop, "step": choices.pick((None, None, 2, 3))}


def _selected(context: Context, attrs: Attrs, x: Type) -> Type:
    index = whole(attrs["index"], -FARTHEST, FARTHEST)
    dim = dim_of(x, attrs["dim"])
    context.need(x.shape[dim], index + 1 if index >= 0 else -index)
    return x.view(*x.without(dim))


def _index_attrs(choices: Choices, x: Type) -> Attrs:
    return {"dim": choices.dim(x), "index": choices.integer(-3, 2)}


def _index_text(attrs: Attrs, x: str) -> str:
    return x + at(attrs["dim"], repr(attrs["index"]))


def _narrowed(context: Context, attrs: Attrs, x: Type) -> Type:
    start, count = whole(attrs["start"], -FARTHEST, FARTHEST), whole(attrs["count"], 0, FARTHEST)
    dim = dim_of(x, attrs["dim"])
    if start < 0 and count > -start:
        raise IllTyped(f"no {count} elements from {start}")
    context.need(x.shape[dim], start + count if start >= 0 else -start)
    return x.view(*x.with_dim(dim, count))


def _narrow_attrs(choices: Choices, x: Type) -> Attrs:
    start = choices.integer(-3, 3)
    return {"dim": choices.dim(x), "start": start, "count": choices.integer(0, -start if start < 0 else 3)}


def _new_dims(context: Context, attrs: Attrs, x: Type) -> Type:
    one = Size.of(1)
    return x.view(one, *x.shape[:1], one, *x.shape[1:])


def _rotated_half(context: Context, attrs: Attrs, x: Type) -> Type:
    if x.kind == "bool":
        raise IllTyped("no negative of bool")
    return x.of()


def part(name: str, text: str, size: Callable[[Context, Size], Size]) -> Operation:
    """Describe a slice whose bounds are computed from the dim's size `{n}`."""

    def infer(context: Context, attrs: Attrs, x: Type) -> Type:
        dim = dim_of(x, attrs["dim"])
        return x.view(*x.with_dim(dim, size(context, x.shape[dim])))

    def source(attrs: Attrs, x: str) -> str:
        return x + at(attrs["dim"], text.replace("{n}", f"{x}.shape[{attrs['dim']}]"))

    return one_tensor(FAMILY, name, source, infer, dim_attr, ndim=(1, 4))


def _two_of(context: Context, size: Size) -> Size:
    context.need(size, 2)
    return Size.of(2)


def _at_least(context: Context, size: Size, least: int) -> Size:
    context.need(size, least)
    return size


def python_number(choices: Choices, *earlier: Type) -> Type:
    """Ask for a Python integer."""
    return Type("int64", plain=True)


def _dim_attr(choices: Choices, x: Type, number: Type) -> Attrs:
    return dim_attr(choices, x)


def by_number(name: str, text: str, size: Callable[[Size, Size], Size]) -> Operation:
    """Describe a slice whose bound is a Python number `{k}`, 0 or more."""

    def infer(context: Context, attrs: Attrs, x: Type, number: Type) -> Type:
        dim = dim_of(x, attrs["dim"])
        return x.view(*x.with_dim(dim, size(x.shape[dim], number_of(number))))

    def source(attrs: Attrs, x: str, number: str) -> str:
        return x + at(attrs["dim"], text.replace("{k}", number))

    operands = (Operand(ndim=(1, 4)), Operand(matching=python_number))
    return Operation(name=name, family=FAMILY, operands=operands, infer=infer, attrs=_dim_attr, source=source)


def _narrow_by_number(context: Context, attrs: Attrs, x: Type, number: Type) -> Type:
    dim, count = dim_of(x, attrs["dim"]), number_of(number)
    context.need(x.shape[dim] - count, 0)
    return x.view(*x.with_dim(dim, count))


view = partial(one_tensor, FAMILY)

OPERATIONS = (
    view("slice", _slice_text, _sliced, _slice_attrs, ndim=(1, 4)),
    view("select", "{0}.select({dim}, {index})", _selected, _index_attrs, ndim=(1, 4)),
    view("index_constant", _index_text, _selected, _index_attrs, ndim=(1, 4)),
    view("narrow", "{0}.narrow({dim}, {start}, {count})", _narrowed, _narrow_attrs, ndim=(1, 4)),
    view("index_none", "{0}[None, :, None]", _new_dims, ndim=(1, 4)),
    part("first_half", ": {n} // 2", lambda context, n: n // 2),
    part("second_half", "{n} // 2 :", lambda context, n: n - n // 2),
    part("all_but_last", ": {n} - 1", lambda context, n: _at_least(context, n, 1) - 1),
    part("last_two", "{n} - 2 :", lambda context, n: _two_of(context, n)),
    part("middle", "{n} // 3 : {n} - {n} // 3", lambda context, n: n - (n // 3) * 2),
    part("odd_positions", "1 : {n} : 2", lambda context, n: n // 2),
    by_number("slice_to_number", ": {k}", lambda n, k: n.least(k)),
    by_number("slice_from_number", "{k} :", lambda n, k: (n - k).most(0)),
    Operation(
        name="narrow_by_number",
        family=FAMILY,
        operands=(Operand(ndim=(1, 4)), Operand(matching=python_number)),
        attrs=_dim_attr,
        infer=_narrow_by_number,
        source="{0}.narrow({dim}, 0, {1})",
    ),
    view(
        "rotate_half",
        "torch.cat((-{0}[..., {0}.shape[-1] // 2 :], {0}[..., : {0}.shape[-1] // 2]), -1)",
        _rotated_half,
        ndim=(1, 4),
        allowed=("float", "int", "complex"),
        guards=1,
    ),
)
