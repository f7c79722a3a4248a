"""Operations that move lanes, or make them of nothing: no arithmetic."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from eagerdiff.harness.devices.host.lowering.elements import Unsupported, held, is_float, literal, register
from eagerdiff.harness.devices.host.lowering.nodes import Buffer, Indices, Node, Range, Splat, View, dense
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.attributes import float_of, from_bits, hexadecimal, integer_of
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

_CHEAP = 2
_BYTES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2}


@lowers("arith.constant")
def constant(lowering: "Lowering", operation: Operation) -> None:
    kind = operation.results[0].type
    found = operation.attributes.constant("value")
    if isinstance(found, str) and (data := hexadecimal(found)) is not None:
        values = _decoded(data, kind.element)
    elif isinstance(found, str):
        value = _literal(found, kind.element)
        lowering.bind(operation, Splat(kind.element, kind.dims, value=value))
        return
    else:
        values = [_literal(one, kind.element) for one in found]
    if kind.element == "i1":
        values = [str(int(one == "true")) for one in values]
    name = lowering.writer.table(held(kind.element), values)
    lowering.bind(operation, Buffer(kind.element, kind.dims, name=name, strides=dense(kind.dims)))


def _literal(text: str, element: str) -> str:
    return literal(float_of(text, element) if is_float(element) else integer_of(text), element)


def _decoded(data: bytes, element: str) -> list[str]:
    """Read a constant that is printed as bytes."""
    if element == "i1":
        raise Unsupported("a long constant of booleans")
    size = _BYTES.get(element) or (1 if is_float(element) else max(1, int(element[1:]) // 8))
    numbers = [
        int.from_bytes(data[at : at + size], "little", signed=not is_float(element)) for at in range(0, len(data), size)
    ]
    if not is_float(element):
        return [literal(one, element) for one in numbers]
    return [literal(from_bits(one, element), element) for one in numbers]


@lowers("ub.poison")
def undefined(lowering: "Lowering", operation: Operation) -> None:
    lowering.bind(operation, lowering.nothing(operation.results[0].type))


@lowers("tt.elementwise_inline_asm")
def assembly(lowering: "Lowering", operation: Operation) -> None:
    """Take what orders launches (`gdc_wait`, `gdc_launch_dependents`) for kept: each ends before the next begins."""
    if not operation.attributes.string("asm_string").startswith("griddepcontrol."):
        raise Unsupported(f"{operation.name} at {lowering.line_of(operation)}")
    for result in operation.results:
        lowering.values[result] = lowering.nothing(result.type)


@lowers("tt.get_program_id")
def program_id(lowering: "Lowering", operation: Operation) -> None:
    lowering.bind(operation, Splat("i32", (), value=f"%program{operation.attributes.integer('axis')}"))


@lowers("tt.get_num_programs")
def number_of_programs(lowering: "Lowering", operation: Operation) -> None:
    lowering.bind(operation, Splat("i32", (), value=f"%programs{operation.attributes.integer('axis')}"))


@lowers("tt.make_range")
def make_range(lowering: "Lowering", operation: Operation) -> None:
    start = operation.attributes.integer("start")
    lowering.bind(operation, Range("i32", operation.results[0].type.dims, start=start))


@lowers("tt.splat")
def splat(lowering: "Lowering", operation: Operation) -> None:
    (base,) = lowering.nodes(operation)
    value = base.lane(lowering, ())
    lowering.bind(operation, Splat(base.element, operation.results[0].type.dims, base.root, value))


@lowers("tt.unsplat")
def unsplat(lowering: "Lowering", operation: Operation) -> None:
    (base,) = lowering.nodes(operation)
    lowering.forget_lanes()
    lowering.bind(operation, Splat(base.element, (), base.root, base.lane(lowering, [0] * len(base.shape))))


def _view(
    lowering: "Lowering",
    operation: Operation,
    base: Node,
    strides: Callable[[tuple[int, ...]], tuple[int, ...]] | None,
    places: Callable[["Lowering", Indices], Indices],
) -> None:
    """Bind lanes of another node: of a buffer by strides where there are such."""
    shape = operation.results[0].type.dims
    if isinstance(base, Splat):
        node: Node = Splat(base.element, shape, base.root, base.value)
    elif isinstance(base, Buffer) and strides is not None:
        node = base.viewed(shape, strides(base.strides))
    else:
        node = View(base.element, shape, base.root, base, places)
    lowering.bind(operation, node)


@lowers("tt.expand_dims")
def expand_dims(lowering: "Lowering", operation: Operation) -> None:
    (base,) = lowering.nodes(operation)
    axis = operation.attributes.integer("axis")
    _view(
        lowering,
        operation,
        base,
        lambda strides: (*strides[:axis], 0, *strides[axis:]),
        lambda _, indices: [*indices[:axis], *indices[axis + 1 :]],
    )


@lowers("tt.broadcast")
def broadcast(lowering: "Lowering", operation: Operation) -> None:
    (base,) = lowering.nodes(operation)
    shape = operation.results[0].type.dims
    if base.cost > _CHEAP and math.prod(shape) > math.prod(base.shape):
        base = lowering.materialised(base)
    repeated = [size == 1 and wanted != 1 for size, wanted in zip(base.shape, shape, strict=True)]
    _view(
        lowering,
        operation,
        base,
        lambda strides: tuple(0 if again else stride for again, stride in zip(repeated, strides, strict=True)),
        lambda _, indices: [0 if again else index for again, index in zip(repeated, indices, strict=True)],
    )


@lowers("tt.trans")
def transpose(lowering: "Lowering", operation: Operation) -> None:
    (base,) = lowering.nodes(operation)
    order = operation.attributes.integers("order")
    _view(
        lowering,
        operation,
        base,
        lambda strides: tuple(strides[dim] for dim in order),
        lambda _, indices: [indices[order.index(dim)] for dim in range(len(order))],
    )


@lowers("tt.reshape")
def reshape(lowering: "Lowering", operation: Operation) -> None:
    (base,) = lowering.nodes(operation)
    shape, source = operation.results[0].type.dims, base.shape
    if base.cost > _CHEAP and not isinstance(base, Buffer):
        base = lowering.materialised(base)
    if isinstance(base, Buffer) and base.is_dense:
        lowering.bind(operation, base.viewed(shape, dense(shape)))
        return

    def places(lowering: "Lowering", indices: Indices) -> Indices:
        writer = lowering.writer
        at = 0 if not indices else indices[0]
        for index, size in zip(indices[1:], shape[1:], strict=True):
            at = writer.add(writer.times(at, size), index)
        found = [writer.quotient(at, stride) for stride in dense(source)]
        return [found[0], *(writer.remainder(one, size) for one, size in zip(found[1:], source[1:], strict=True))]

    _view(lowering, operation, base, None, places)


@lowers("tt.join")
def join(lowering: "Lowering", operation: Operation) -> None:
    """Two tensors along a new last dim."""
    pair = lowering.nodes(operation)
    result = operation.results[0].type
    into = lowering.buffer(result.element, result.dims)
    with lowering.loops(pair[0].shape) as indices:
        for at, node in enumerate(pair):
            into.put(lowering, [*indices, at], node.lane(lowering, indices))
    lowering.bind(operation, into)


@lowers("tt.split")
def split(lowering: "Lowering", operation: Operation) -> None:
    """The two parts of a last dim of two."""
    base = lowering.materialised(lowering.node(operation.operands[0]))
    for at, value in enumerate(operation.results):
        lowering.values[value] = base.viewed(base.shape[:-1], base.strides[:-1], at * base.strides[-1])


@lowers("tt.cat")
def concatenate(lowering: "Lowering", operation: Operation) -> None:
    """The last part comes first: Triton takes no `cat` but one that may reorder, and on a GPU it does."""
    result = operation.results[0].type
    into = lowering.buffer(result.element, result.dims)
    start = 0
    for node in reversed(lowering.nodes(operation)):
        with lowering.loops(node.shape) as indices:
            place = [lowering.writer.add(indices[0], start), *indices[1:]]
            into.put(lowering, place, node.lane(lowering, indices))
        start += node.shape[0]
    lowering.bind(operation, into)


@lowers("tt.gather")
def gather(lowering: "Lowering", operation: Operation) -> None:
    """Lanes of a tensor by their index along a dim; an index outside gives what no lane holds."""
    source = lowering.materialised(lowering.node(operation.operands[0]))
    chosen = lowering.node(operation.operands[1])
    axis, let = operation.attributes.integer("axis"), lowering.writer.let
    into = lowering.buffer(source.element, operation.results[0].type.dims)
    kind = register(source.element)
    with lowering.loops(into.shape) as indices:
        at, inside = _within(lowering, chosen, indices, source.shape[axis])
        lane = source.lane(lowering, [at if dim == axis else index for dim, index in enumerate(indices)])
        into.put(lowering, indices, let(f"select i1 {inside}, {kind} {lane}, {kind} {lowering.poison(source.element)}"))
    lowering.bind(operation, into)


@lowers("tt.histogram")
def histogram(lowering: "Lowering", operation: Operation) -> None:
    """How often each number of a range occurs; numbers outside are not counted."""
    source, *masks = lowering.nodes(operation)
    let, size = lowering.writer.let, operation.results[0].type.dims[0]
    into = lowering.buffer("i32", (size,))
    lowering.fill(into, Splat("i32", (size,), value="0"))
    with lowering.loops(source.shape, vectors=False) as indices:
        at, counted = _within(lowering, source, indices, size)
        for mask in masks:
            counted = let(f"and i1 {counted}, {mask.lane(lowering, indices)}")
        one = let(f"zext i1 {counted} to i32")
        into.put(lowering, [at], let(f"add i32 {into.lane(lowering, [at])}, {one}"))
    lowering.bind(operation, into)


def _within(lowering: "Lowering", node: Node, indices: Sequence[str | int], size: int) -> tuple[str, str]:
    """Return an index that is safe, and whether it is the one that was asked for."""
    let = lowering.writer.let
    at = node.lane(lowering, indices)
    if register(node.element) != "i64":
        at = let(f"sext {node.element} {at} to i64")
    inside = let(f"icmp ult i64 {at}, {size}")
    return let(f"select i1 {inside}, i64 {at}, i64 0"), inside
