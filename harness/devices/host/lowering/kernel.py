"""Lower a kernel: from its module's text to LLVM IR."""

from dataclasses import dataclass

from eagerdiff.harness.devices.host.lowering import (  # each registers what it lowers
    arithmetic as _arithmetic,
)
from eagerdiff.harness.devices.host.lowering import atomics as _atomics
from eagerdiff.harness.devices.host.lowering import conversions as _conversions
from eagerdiff.harness.devices.host.lowering import mathematics as _mathematics
from eagerdiff.harness.devices.host.lowering import memory as _memory
from eagerdiff.harness.devices.host.lowering import overflow
from eagerdiff.harness.devices.host.lowering import pointers as _pointers
from eagerdiff.harness.devices.host.lowering import products as _products
from eagerdiff.harness.devices.host.lowering import reductions as _reductions
from eagerdiff.harness.devices.host.lowering import scaled_products as _scaled_products
from eagerdiff.harness.devices.host.lowering import shapes as _shapes
from eagerdiff.harness.devices.host.lowering.control import lower_function
from eagerdiff.harness.devices.host.lowering.elements import held, is_float, register
from eagerdiff.harness.devices.host.lowering.lowering import ALIGNMENT, Lowering, Site
from eagerdiff.harness.devices.host.lowering.nodes import Splat
from eagerdiff.harness.devices.host.mlir.locations import Locations
from eagerdiff.harness.devices.host.mlir.parser import parse
from eagerdiff.harness.devices.host.mlir.types import Type

__all__ = ["ENTRY", "Lowered", "lower"]

REGISTERED = (
    *(_arithmetic, _atomics, _conversions, _mathematics, _memory),
    *(_pointers, _products, _reductions, _scaled_products, _shapes),
)
ENTRY = "program"
"""The function that runs one program of a launch."""
_MARKS = 4
"""The context's place of the address of marks, in words of eight bytes."""
_UNREAD = 15
"""That of what a lane holds that was not read."""
_PROGRAMS = tuple(f"i32 %{name}{axis}" for name in ("program", "programs") for axis in range(3))


@dataclass(frozen=True)
class Lowered:
    """A kernel as LLVM IR, and what is to be known of it."""

    text: str
    sites: list[Site]
    arena: int
    """Bytes of buffers that one program needs."""
    waits: bool
    """Whether a program may wait for another."""
    marks: list[tuple[str, str, str]]
    """What is to be reached: line, what it is, state."""


def lower(text: str, name: str) -> Lowered:
    """Lower a kernel of a module in MLIR's generic form; raise `Unsupported` for what is not lowered.

    The function takes the context, the arguments in slots of eight bytes, each pointer's extent behind them, its
    buffers, and which of how many programs it is.
    """
    module = parse(text)
    functions = {one.attributes.string("sym_name"): one for one in module.body.operations if one.name == "tt.func"}
    # What nothing read would fail an assertion that no integer wraps around.
    lowering = Lowering(functions, Locations(text), small_poison=overflow.MESSAGE in text)
    arguments = functions[name].body.arguments
    for index, argument in enumerate(arguments):
        pointer = argument.type.is_pointer
        value = "0" if pointer else f"%argument{index}"
        lowering.values[argument] = Splat(argument.type.element, (), index if pointer else None, value)
        if pointer:
            lowering.writer.entry(f"%base{index} = ptrtoint ptr %argument{index} to i64")
    lowering.writer.entry(f"%markedat = getelementptr i64, ptr %context, i64 {_MARKS}")
    lowering.writer.entry("%marks = load ptr, ptr %markedat")
    lowering.writer.entry(f"%unreadat = getelementptr i64, ptr %context, i64 {_UNREAD}")
    lowering.writer.entry("%unread = load double, ptr %unreadat")
    lowering.writer.entry("%unread.low = fcmp olt double %unread, 0.0")
    lower_function(lowering, functions[name], [])
    lowering.writer.line("ret void")
    kinds = [argument.type for argument in arguments]
    return Lowered(
        "\n".join((_inner(lowering, kinds), _outer(lowering, kinds), lowering.writer.metadata())),
        lowering.sites,
        lowering.arena,
        lowering.waits,
        lowering.marks,
    )


def _parameters(kinds: list[Type]) -> list[str]:
    found = list[str]()
    for index, kind in enumerate(kinds):
        if kind.is_pointer:
            found += [f"ptr %argument{index}", f"i64 %extent{index}"]
        else:
            found.append(f"{register(kind.element)} %argument{index}")
    return found


def _inner(lowering: Lowering, kinds: list[Type]) -> str:
    """Write the kernel, told that no buffer is another's memory."""
    buffers = [f"ptr noalias align {ALIGNMENT} {name}" for name, _ in lowering.buffers()]
    parameters = ", ".join(("ptr %context", "i1 %tracked", *_parameters(kinds), *_PROGRAMS, *buffers))
    return lowering.writer.function(f"define internal void @kernel({parameters}) noinline nounwind")


def _outer(lowering: Lowering, kinds: list[Type]) -> str:
    """Write the function that reads the arguments from their slots."""
    lines = ["  %word = load i64, ptr %context", "  %tracked = icmp ne i64 %word, 0"]
    for index, kind in enumerate(kinds):
        lines.append(f"  %slot{index} = getelementptr i64, ptr %slots, i64 {index}")
        lines += _argument(index, kind, len(kinds))
    given = ["ptr %context", "i1 %tracked", *_parameters(kinds), *_PROGRAMS]
    for name, place in lowering.buffers():
        lines.append(f"  {name} = getelementptr i8, ptr %arena, i64 {place}")
        given.append(f"ptr {name}")
    lines += [f"  call void @kernel({', '.join(given)})", "  ret void"]
    signature = f"define void @{ENTRY}(ptr %context, ptr %slots, ptr %arena, {', '.join(_PROGRAMS)}) nounwind"
    return "\n".join([f"{signature} {{", "entry:", *lines, "}"])


def _argument(index: int, kind: Type, count: int) -> list[str]:
    if kind.is_pointer:
        return [
            f"  %argument{index} = load ptr, ptr %slot{index}",
            f"  %behind{index} = getelementptr i64, ptr %slots, i64 {count + index}",
            f"  %extent{index} = load i64, ptr %behind{index}",
        ]
    if kind.element == "i1":
        return [f"  %byte{index} = load i8, ptr %slot{index}", f"  %argument{index} = trunc i8 %byte{index} to i1"]
    if is_float(kind.element) and kind.element != "f64":  # a slot has a double
        return [
            f"  %double{index} = load double, ptr %slot{index}",
            f"  %argument{index} = fptrunc double %double{index} to float",
        ]
    return [f"  %argument{index} = load {held(kind.element)}, ptr %slot{index}"]
