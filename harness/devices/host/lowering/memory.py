"""Loads and stores: every lane is held against the extent of the argument that it reaches into.

Each access is a loop over lanes that performs what lies within the extent, and says whether a live lane did not. Where
one did not, or the launch is tracked, a second loop asks the runtime about every lane: it knows other views of the same
memory, which may be reached too, and keeps what is tracked.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from eagerdiff.harness.devices.host.lowering import overflow
from eagerdiff.harness.devices.host.lowering.conversions import from_memory, to_memory
from eagerdiff.harness.devices.host.lowering.elements import register, size_of, stored
from eagerdiff.harness.devices.host.lowering.nodes import Buffer, Indices, Node, Splat
from eagerdiff.harness.devices.host.lowering.registry import lowers
from eagerdiff.harness.devices.host.mlir.operation import Operation

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.lowering.lowering import Lowering

Kind = Literal["load", "store", "atomic"]


@dataclass(frozen=True)
class Access:
    """One operation that touches memory, lane by lane."""

    kind: Kind
    operation: Operation
    pointer: Node
    mask: Node | None
    element: str
    perform: Callable[[Indices, str], str]
    """Write what touches an address; return the lane of the result, if there is one."""
    keep: Callable[[Indices, str], None] | None = None
    """Write what keeps a lane of the result; None where there is none."""
    skipped: Callable[[Indices, str | None], str] | None = None
    """Write what a lane is that is not performed, of its mask; None: poison."""
    one_by_one: bool = False
    """Whether lanes may meet at one address."""
    order: int = 0
    """Of an atomic: Triton's `MemSemantic`."""
    volatile: bool = False
    """Of a load: whether other programs may write there meanwhile, and it is to see that."""

    @property
    def how(self) -> int:
        """As the runtime counts them: an atomic adds four times its order."""
        return 3 if self.volatile else {"load": 0, "store": 1, "atomic": 2}[self.kind] + 4 * self.order


_ASTRAY, _LIVE, _MASKED = 1, 2, 4
"""Flags of an access: whether a live lane lies outside, whether a lane is live, and whether one is masked off."""
_MASKS = ("all lanes", "no lane", "some lanes")
"""States of a mask, by the flags."""


class _Lanes:
    """Write the loops of one access."""

    def __init__(self, lowering: "Lowering", access: Access) -> None:
        self._lowering = lowering
        self._writer = lowering.writer
        self._access = access
        self._size = size_of(access.element)
        self._root = access.pointer.root
        self._site = lowering.site(access.kind, access.operation, self._root, self._size)
        self._flags = self._writer.slot("i8")
        masked = access.mask is not None
        self._marks = lowering.places(access.operation, "mask", _MASKS) if masked else 0

    def write(self) -> None:
        """Write the access."""
        writer = self._writer
        writer.call("void", "rt_point", "ptr %context")
        writer.line(f"store i8 0, ptr {self._flags}")
        if self._root is None:
            self._loop(self._anywhere)
            self._mark()
            return
        self._loop(self._inside)
        closer, after = writer.fresh("L"), writer.fresh("L")
        astray = writer.let(f"trunc i8 {self._mark()} to i1")
        writer.branch(writer.let(f"or i1 {astray}, %tracked"), closer, after, rarely=True)
        writer.label(closer)
        self._loop(self._outside, again=True)
        writer.jump(after)
        writer.label(after)

    def _mark(self) -> str:
        """Write what the mask let through as reached; return the flags."""
        writer = self._writer
        flags = writer.let(f"load i8, ptr {self._flags}")
        if self._access.mask is not None:
            which = writer.let(f"zext i8 {writer.let(f'lshr i8 {flags}, 1')} to i64")
            self._lowering.reach(writer.let(f"add i64 {which}, {self._marks - 1}"))
        return flags

    def _flag(self, flags: str) -> None:
        """Write some more flags."""
        writer = self._writer
        known = writer.let(f"load i8, ptr {self._flags}")
        writer.line(f"store i8 {writer.let(f'or i8 {known}, {flags}')}, ptr {self._flags}")

    def _loop(self, admit: Callable[[str, str | None], tuple[str, str]], *, again: bool = False) -> None:
        """Visit lanes; `admit` gives whether one is performed, and its address."""
        access, lowering = self._access, self._lowering
        with lowering.loops(access.pointer.shape, vectors=not (again or access.one_by_one)) as indices:
            at = access.pointer.lane(lowering, indices)
            asked = None
            if access.mask is not None:
                asked = access.mask.lane(lowering, indices if access.mask.shape else ())
            live, address = admit(at, asked)
            if access.keep is None or again:
                self._perform(indices, live, address)
            else:
                access.keep(indices, self._performed_or(indices, live, address, self._otherwise(indices, asked)))

    def _perform(self, indices: Indices, live: str, address: str) -> None:
        """Write what happens to a live lane; where it was visited before, its result is kept anew."""
        access, writer = self._access, self._writer
        yes, done = writer.fresh("L"), writer.fresh("L")
        writer.branch(live, yes, done)
        writer.label(yes)
        value = access.perform(indices, address)
        if access.keep is not None:
            access.keep(indices, value)
        writer.jump(done)
        writer.label(done)

    def _performed_or(self, indices: Indices, live: str, address: str, otherwise: str) -> str:
        """Write what happens to a live lane; return the register of its result, or of what stands in for it."""
        writer = self._writer
        yes, no, done = writer.fresh("L"), writer.fresh("L"), writer.fresh("L")
        writer.branch(live, yes, no)
        writer.label(yes)
        value = self._access.perform(indices, address)
        ended = writer.here
        writer.jump(done)
        writer.label(no)
        writer.jump(done)
        writer.label(done)
        kind = register(self._access.element)
        return writer.let(f"phi {kind} [ {value}, %{ended} ], [ {otherwise}, %{no} ]")

    def _otherwise(self, indices: Indices, asked: str | None) -> str:
        if self._access.skipped is None:
            return self._lowering.poison(self._access.element)
        return self._access.skipped(indices, asked)

    def _inside(self, at: str, asked: str | None) -> tuple[str, str]:
        """Admit what lies within the extent; remember whether something live does not."""
        let = self._writer.let
        inside = let(f"icmp ult i64 {at}, {self._limit()}")
        outside = let(f"xor i1 {inside}, true")
        live, astray = inside, outside
        if asked is not None:
            live, astray = let(f"and i1 {asked}, {inside}"), let(f"and i1 {asked}, {outside}")
        flags = let(f"zext i1 {astray} to i8")
        self._flag(flags if asked is None else let(f"or i8 {flags}, {self._let_through(asked)}"))
        return live, let(f"getelementptr i8, ptr %argument{self._root}, i64 {at}")

    def _outside(self, at: str, asked: str | None) -> tuple[str, str]:
        """Tell the runtime of every live lane; admit what lies outside the extent and is to be reached all the same."""
        return (
            self._asked_runtime(f"i64 {self._root}", at, asked),
            self._writer.let(f"getelementptr i8, ptr %argument{self._root}, i64 {at}"),
        )

    def _anywhere(self, at: str, asked: str | None) -> tuple[str, str]:
        """Admit what lies within any tensor, of an address that came from elsewhere."""
        if asked is not None:
            self._flag(self._let_through(asked))
        return self._asked_runtime("i64 -1", at, asked), self._writer.let(f"inttoptr i64 {at} to ptr")

    def _let_through(self, asked: str) -> str:
        return self._writer.let(f"select i1 {asked}, i8 {_LIVE}, i8 {_MASKED}")

    def _asked_runtime(self, root: str, at: str, asked: str | None) -> str:
        live = "1" if asked is None else self._writer.let(f"zext i1 {asked} to i32")
        where = (f"i64 {self._site}", root, f"i64 {at}", f"i64 {self._size}")
        found = self._writer.call("i32", "rt_lane", "ptr %context", *where, f"i32 {self._access.how}", f"i32 {live}")
        return self._writer.let(f"icmp ne i32 {found}, 0")

    def _limit(self) -> str:
        """Return the register: what lies below it, as an unsigned number of bytes, is within the extent."""
        return self._lowering.limit(self._root or 0, self._size)


def access(lowering: "Lowering", found: Access) -> None:
    """Write an access."""
    if isinstance(found.mask, Splat) and found.mask.value == "true":
        found = replace(found, mask=None, skipped=None)
    _Lanes(lowering, found).write()


def load_lane(lowering: "Lowering", element: str, address: str) -> str:
    """Write what reads an element of memory that the kernel was given."""
    value = lowering.writer.let(f"load {stored(element)}, ptr {address}, align 1")
    return from_memory(lowering.writer, value, element)


def store_lane(lowering: "Lowering", element: str, value: str, address: str) -> None:
    """Write what writes an element of memory that the kernel was given."""
    lowering.writer.line(
        f"store {stored(element)} {to_memory(lowering.writer, value, element)}, ptr {address}, align 1"
    )


def bound(lowering: "Lowering", operation: Operation, into: Buffer) -> None:
    """Bind a result that was kept."""
    value = operation.results[0]
    lowering.values[value] = into if value.type.is_tensor else Splat(into.element, (), value=into.lane(lowering, ()))


@lowers("tt.load")
def load(lowering: "Lowering", operation: Operation) -> None:
    """A lane that is masked off has the `other`, or what no kernel may rely on: NaN, or a number that no index is."""
    (pointer,), masks, others = ([lowering.node(value) for value in group] for group in operation.segments())
    result = operation.results[0].type
    element, kind = result.element, register(result.element)
    into = lowering.buffer(element, result.dims)

    def skipped(indices: Indices, asked: str | None) -> str:
        """Give the `other` to a lane that was not asked for, not to one that lies astray."""
        other = others[0].lane(lowering, indices if others[0].shape else ())
        return lowering.writer.let(f"select i1 {asked}, {kind} {lowering.poison(element)}, {kind} {other}")

    access(
        lowering,
        Access(
            "load",
            operation,
            pointer,
            masks[0] if masks else None,
            element,
            perform=lambda _, address: load_lane(lowering, element, address),
            keep=lambda indices, value: into.put(lowering, indices, value),
            skipped=skipped if masks and others else None,
            volatile=operation.attributes.flag("isVolatile"),
        ),
    )
    bound(lowering, operation, into)


@lowers("tt.store")
def store(lowering: "Lowering", operation: Operation) -> None:
    pointer, value, *masks = lowering.nodes(operation)
    element = operation.operands[0].type.pointee

    def perform(indices: Indices, address: str) -> str:
        store_lane(lowering, element, value.lane(lowering, indices if value.shape else ()), address)
        return ""

    mask = masks[0] if masks else None
    access(lowering, Access("store", operation, pointer, mask, element, perform))


@lowers("tt.assert")
def device_assert(lowering: "Lowering", operation: Operation) -> None:
    """Note where a lane is false; the program goes on."""
    message = operation.attributes.string("message")
    if overflow.MESSAGE in message and not overflow.concerns_an_address(operation):
        return
    condition = lowering.node(operation.operands[0])
    writer = lowering.writer
    site = lowering.site("assert", operation, None, 1, message)
    with lowering.loops(condition.shape, vectors=False) as indices:
        bad, after = writer.fresh("L"), writer.fresh("L")
        writer.branch(condition.lane(lowering, indices), after, bad)
        writer.label(bad)
        writer.call("void", "rt_note", "ptr %context", f"i64 {site}", "i64 0")
        writer.jump(after)
        writer.label(after)
