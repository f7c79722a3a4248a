"""In-place operations, aliases, `out=` and views of views that are written.

What is read is computed first (`x.add_(y * 2)`): eager refuses an operand that overlaps the written one in part.
"""

from collections.abc import Callable

from eagerdiff.strategies.programs.families.pointwise import like
from eagerdiff.strategies.programs.operation import (
    Attrs,
    Choices,
    Context,
    IllTyped,
    Operand,
    Operation,
    broadcast,
    dim_of,
    kinds,
    shape_text,
)
from eagerdiff.strategies.programs.promotion import promoted
from eagerdiff.strategies.programs.size import Size
from eagerdiff.strategies.programs.value_type import KINDS, Kind, Type

FAMILY = "inplace"
_FLOAT: tuple[Kind, ...] = ("float",)
_NUMBERS: tuple[Kind, ...] = ("float", "int")
_FIELD: tuple[Kind, ...] = ("float", "int", "complex")

Check = Callable[..., None]
"""`check(context, attrs, *types)`: raises IllTyped."""


def writable(allowed: tuple[Kind, ...] = _NUMBERS, least: int = 0) -> Operand:
    """Describe a tensor of at least so many dims that may be written."""
    return Operand(kinds=allowed, ndim=(least, 4), where=lambda x: not x.overlaps and x.below is None)


def check_written(x: Type, *read: Type) -> None:
    """Raise IllTyped unless the result of an operation of x and what is read has the shape and kind of x."""
    if x.below is not None:
        raise IllTyped("indices are not written: their bound would no longer hold")
    tensors = [value for value in read if not value.plain]
    if broadcast(x, *tensors) != x.shape:
        raise IllTyped(f"the result does not fit into {shape_text(x)}")
    if KINDS[promoted(x, *read)] != x.kind:
        raise IllTyped(f"the result is no {x.dtype}")


def _fits(context: Context, attrs: Attrs, x: Type, *read: Type) -> None:
    check_written(x, *read)


def written(
    name: str,
    source: str,
    *read: Operand,
    allowed: tuple[Kind, ...] = _NUMBERS,
    least: int = 0,
    setup: str = "",
    check: Check = _fits,
    attrs: Callable[..., Attrs] = lambda choices, *types: {},
    graph_break: bool = False,
    guards: int = 0,
) -> Operation:
    """Describe an operation that writes its first operand, of at least `least` dims, and returns it."""

    def infer(context: Context, attrs: Attrs, x: Type, *read: Type) -> Type:
        kinds(x, *allowed)
        if x.ndim < least:
            raise IllTyped(f"{least} dims needed")
        check_written(x)
        check(context, attrs, x, *read)
        return x

    return Operation(
        name=name,
        family=FAMILY,
        operands=(writable(allowed, least), *read),
        infer=infer,
        source=source,
        setup=setup,
        attrs=attrs,
        writes=(0,),
        graph_break=graph_break,
        guards=guards,
    )


def statement(name: str, setup: str, *read: Operand, **options: object) -> Operation:
    """Describe statements that write their first operand; its value is that operand.

    `guards` is 1 where they slice: a slice of size 0 or 1 is another graph than a longer one.
    """
    return written(name, "{0}", *read, setup=setup, **options)  # pyright: ignore[reportArgumentType]


def _value(choices: Choices, x: Type, *read: Type) -> Attrs:
    return {"value": choices.integer(-2, 3) if x.kind == "int" else choices.number()}


def _check_value(context: Context, attrs: Attrs, x: Type, *read: Type) -> None:
    value = attrs["value"]
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (x.kind == "int" and not isinstance(value, int))
    ):
        raise IllTyped(f"{value!r} does not fit into {x.dtype}")
    if x.dtype == "uint8" and value < 0:
        raise IllTyped("uint8 holds nothing below 0")


def _check_masked(context: Context, attrs: Attrs, x: Type, mask: Type) -> None:
    kinds(mask, "bool")
    if broadcast(x, mask) != x.shape:
        raise IllTyped(f"the mask does not fit {shape_text(x)}")
    _check_value(context, attrs, x)


def _check_mask(context: Context, attrs: Attrs, x: Type, mask: Type) -> None:
    kinds(mask, "bool")
    if mask.shape != x.shape:
        raise IllTyped("the mask has another shape")
    _check_value(context, attrs, x)


def _check_clamp(context: Context, attrs: Attrs, x: Type) -> None:
    if not (type(attrs["low"]) is int and type(attrs["high"]) is int):
        raise IllTyped("bounds are integers")


def _start(choices: Choices, *types: Type) -> Attrs:
    return {"start": choices.integer(0, 2)}


def _check_start(context: Context, attrs: Attrs, x: Type, *read: Type) -> None:
    if type(attrs["start"]) is not int:
        raise IllTyped("a start is an integer")
    for value in read:
        if value.shape != x.shape or value.dtype != x.dtype:
            raise IllTyped("what is read is another type")


def _check_row(context: Context, attrs: Attrs, x: Type, *rows: Type) -> None:
    context.need(x.shape[0], 1)
    for row in rows:
        if row.shape != x.shape[1:] or row.dtype != x.dtype:
            raise IllTyped("a row of another type")


def _square(context: Context, attrs: Attrs, x: Type) -> None:
    if x.ndim != 2:
        raise IllTyped("two dims needed")


def _index(choices: Choices, x: Type) -> Type:
    size = x.shape[choices.integer(0, x.ndim - 1)]
    return Type("int64", (choices.pick((size, Size.of(3), Size.of(1))),), below=size)


def _dims_of(x: Type, index: Type) -> list[int]:
    return [dim for dim in range(x.ndim) if x.shape[dim] == index.below]


def _indexed(choices: Choices, x: Type, index: Type) -> Type:
    return x.of(shape=x.with_dim(choices.pick(_dims_of(x, index)), index.shape[0]))


def _indexed_dim(choices: Choices, x: Type, index: Type, read: Type) -> Attrs:
    fitting = [dim for dim in _dims_of(x, index) if read.shape == x.with_dim(dim, index.shape[0])]
    if not fitting:
        raise IllTyped("no dim fits")
    return {"dim": choices.pick(fitting)}


def _check_indexed(context: Context, attrs: Attrs, x: Type, index: Type, read: Type) -> None:
    dim = dim_of(x, attrs["dim"])
    _check_index(context, index, x.shape[dim])
    if index.ndim != 1 or read.dtype != x.dtype or read.shape != x.with_dim(dim, index.shape[0]):
        raise IllTyped(f"{shape_text(read)} is not what {shape_text(index)} writes")


def _check_index(context: Context, index: Type, size: Size) -> None:
    if index.below != size or index.dtype != "int64":
        raise IllTyped(f"not indices below {size}")
    if index.shape != (size,):
        context.need(size, 1)


def _check_rows(context: Context, attrs: Attrs, x: Type, index: Type, *read: Type) -> None:
    _check_index(context, index, x.shape[0])
    for value in read:
        if value.dtype != x.dtype or value.shape != (*index.shape, *x.shape[1:]):
            raise IllTyped("rows of another type")


def _rows_index(choices: Choices, x: Type) -> Type:
    return Type("int64", (choices.pick((x.shape[0], Size.of(3))),), below=x.shape[0])


def _scattered(choices: Choices, x: Type) -> Type:
    return Type("int64", x.shape, below=x.shape[choices.integer(0, x.ndim - 1)])


def _scattered_dim(choices: Choices, x: Type, index: Type, read: Type) -> Attrs:
    return {"dim": choices.pick(_dims_of(x, index))}


def _check_scattered(context: Context, attrs: Attrs, x: Type, index: Type, read: Type) -> None:
    size = x.shape[dim_of(x, attrs["dim"])]
    if index.below != size or index.dtype != "int64" or index.shape != x.shape:
        raise IllTyped(f"not indices below {size}")
    if read.shape != x.shape or read.dtype != x.dtype:
        raise IllTyped("what is read is another type")


_LIKE = Operand(matching=like)
_MASK = Operand(matching=lambda choices, x: Type("bool", x.shape))
_ROW_MASK = Operand(matching=lambda choices, x: Type("bool", choices.pick((x.shape, x.shape[-1:], ()))))
_SAME = Operand(matching=lambda choices, x, *between: x.of())
_ROW = Operand(matching=lambda choices, x: x.of(shape=x.shape[1:]))

OPERATIONS = (
    *(written(f"{name}_", f"{{0}}.{name}_()", allowed=_FLOAT) for name in ("relu", "sigmoid", "tanh", "exp", "sqrt")),
    *(written(f"{name}_", f"{{0}}.{name}_()", allowed=_FIELD) for name in ("neg", "square", "zero")),
    written("add_", "{0}.add_({1} * 2)", _LIKE, allowed=_FIELD),
    written("mul_", "{0}.mul_({1} + 1)", _LIKE, allowed=_FIELD),
    written("sub_", "{0}.sub_({1} + 1, alpha=2)", _LIKE, allowed=_FIELD),
    written("copy_", "{0}.copy_({1} + 1)", _LIKE, allowed=_FIELD),
    written("add_self_", "{0}.add_({0})", allowed=_FIELD),
    statement("iadd", "{0} += {1} * 2", _LIKE, allowed=_FIELD),
    statement("assign_all", "{0}[...] = {1} * 2", _LIKE, allowed=_FIELD),
    written(
        "clamp_",
        "{0}.clamp_({low}, {high})",
        attrs=lambda choices, x: {"low": choices.integer(0, 2), "high": choices.integer(2, 4)},
        check=_check_clamp,
    ),
    written("fill_", "{0}.fill_({value})", attrs=_value, check=_check_value),
    written("masked_fill_", "{0}.masked_fill_({1}, {value})", _ROW_MASK, attrs=_value, check=_check_masked),
    statement("assign_masked", "{0}[{1}] = {value}", _MASK, attrs=_value, check=_check_mask),
    statement("assign_slice", "{0}[..., {start}:] = 2", attrs=_start, check=_check_start, least=1, guards=1),
    statement(
        "iadd_slice",
        "{0}[:, {start}:] += {1}[:, {start}:] * 2",
        _SAME,
        attrs=_start,
        check=_check_start,
        least=2,
        guards=1,
    ),
    statement("imul_strided", "{0}[..., ::2] *= 2", least=1, guards=1, allowed=_FIELD),
    statement("assign_row", "{0}[-1] = {1} + 1", _ROW, check=_check_row, least=1),
    statement("write_row", "{0}[0].add_(1)", check=_check_row, least=1),
    statement("write_transposed", "{out}_t = {0}.transpose(0, -1)\n{out}_t[1:].mul_(2)", least=2, guards=1),
    statement(
        "write_view_of_view",
        "{out}_a = {0}.unsqueeze(0)\n{out}_b = {out}_a[:, 1:]\n{out}_b.transpose(0, 1).add_(1)",
        least=1,
        guards=1,
    ),
    statement("write_diagonal", "{0}.diagonal().add_(1)", check=_square, least=2, guards=1),
    statement("write_detached", "{out}_d = {0}.detach()\n{out}_d.mul_(2)", allowed=_FIELD),
    statement(
        "swap_halves",
        "{out}_n = {0}.shape[0] // 2\n{out}_c = {0}[:{out}_n].clone()\n"
        "{0}[:{out}_n] = {0}[{out}_n : 2 * {out}_n]\n{0}[{out}_n : 2 * {out}_n] = {out}_c",
        least=1,
        guards=1,
    ),
    statement("push", "{0}[:-1] = {0}[1:].clone()\n{0}[-1] = {1} + 1", _ROW, check=_check_row, least=1, guards=1),
    written(
        "index_add_",
        "{0}.index_add_({dim}, {1}, {2} * 2)",
        Operand(matching=_index),
        Operand(matching=_indexed),
        least=1,
        attrs=_indexed_dim,
        check=_check_indexed,
    ),
    written(
        "index_put_",
        "{0}.index_put_(({1},), {2} * 2, accumulate=True)",
        Operand(matching=_rows_index),
        Operand(matching=lambda choices, x, index: x.of(shape=(*index.shape, *x.shape[1:]))),
        least=1,
        check=_check_rows,
    ),
    statement("assign_indexed", "{0}[{1}] = 1", Operand(matching=_rows_index), least=1, check=_check_rows),
    written(
        "scatter_add_",
        "{0}.scatter_add_({dim}, {1}, {2} * 2)",
        Operand(matching=_scattered),
        _SAME,
        least=1,
        attrs=_scattered_dim,
        check=_check_scattered,
    ),
    # Dynamo breaks the graph at an `out=` that is not contiguous, and an input may be any.
    written("sin_out_self", "torch.sin({0}, out={0})", allowed=_FLOAT, graph_break=True),
    written("add_out", "torch.add({1} * 2, 1, out={0})", _SAME, graph_break=True),
)
