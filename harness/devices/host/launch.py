"""One launch of a compiled kernel."""

import ctypes
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eagerdiff.harness.devices.extents import extent, live_tensors
from eagerdiff.harness.devices.host import runtime
from eagerdiff.harness.devices.host.arguments import Argument, flattened
from eagerdiff.harness.devices.host.artefact import Program
from eagerdiff.harness.devices.host.context import MOST_FAULTS, Context, Fault, Outcome, Region, Span
from eagerdiff.harness.devices.host.coverage import Coverage
from eagerdiff.harness.devices.host.watching import Watching
from eagerdiff.harness.internals.torch_placement import HOOKS

MOST_PROGRAMS = (2**31 - 1, 65535, 65535)
"""CUDA's limits of a grid along x, y and z."""
FUEL = 1 << 28
"""Turns of loops of one launch, all programs together, before they are held for endless."""
RESIDENTS = 24
"""Programs that take turns, where a launch is interleaved."""
MOST_RESIDENTS = 132 * 32
"""The same, where programs wait for one another: as many as an H100 has place for."""
COVERAGE = Coverage()
"""Of this process."""
_UNSEEN = HOOKS["unseen"].reach()

Grid = tuple[int, int, int]
Hook = Callable[[Any], None]


class Launcher:
    """What Triton makes for a compiled kernel: called with the grid, hooks and the arguments."""

    def __init__(self, src: Any, metadata: Any) -> None:
        self._name: str = metadata.name
        self._file: str = src.fn.fn.__code__.co_filename if hasattr(src, "fn") else ""
        self._signature: dict[str, Any] = src.signature
        names = list(self._signature)
        self._constants = {names[place[0]]: value for place, value in src.constants.items() if len(place) == 1}

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: int,
        program: Program,
        packed: Any,
        launch_metadata: Any,
        enter: Hook | None,
        leave: Hook | None,
        *values: Any,
    ) -> None:
        grid = (x, y, z)
        for axis, size, most in zip("xyz", grid, MOST_PROGRAMS, strict=True):
            if size > most:
                raise RuntimeError(f"invalid grid: {size} programs along {axis}, where CUDA allows {most}")
        if enter is not None:
            enter(launch_metadata)
        if self._file:
            program.relocate(self._file)
            self._file = ""
        if x * y * z > 0:
            # Not what a mode of the program's would have us see.
            with _UNSEEN():
                self._run(program, values, grid)
        if leave is not None:
            leave(launch_metadata)

    def _run(self, program: Program, values: Sequence[Any], grid: Grid) -> None:
        arguments = [
            one
            for (name, kind), value in zip(self._signature.items(), values, strict=True)
            for one in flattened(name, kind, value)
        ]
        outcome = launch(program, arguments, grid)
        COVERAGE.add(self._name, program.marks, outcome.marks, self._constants, math.prod(grid))
        Watching.current.told(self._name, program, arguments, grid, outcome)


def launch(program: Program, arguments: Sequence[Argument], grid: Grid) -> Outcome:
    """Run all programs; return what was met."""
    slots, spans, regions = _memory(arguments, program)
    faults, marks = (Fault * MOST_FAULTS)(), (ctypes.c_uint8 * len(program.marks))()
    watching = Watching.current
    context = Context(
        tracked=int(watching.tracks),
        whole=int(watching.whole),
        unread=watching.unread(),
        fuel=FUEL,
        marks=ctypes.addressof(marks),
        fault_capacity=MOST_FAULTS,
        faults=faults,
        span_count=len(spans),
        spans=spans,
        region_count=len(regions),
        regions=regions,
    )
    order = None
    count = grid[0] * grid[1] * grid[2]
    if watching.seed and count > 1 and not program.waits:
        order = np.random.default_rng(watching.seed).permutation(count).astype(np.int32)
    library = runtime.load()
    if watching.tracks:
        library.rt_begin_tracking(ctypes.byref(context))
    library.rt_launch(
        ctypes.byref(context),
        ctypes.c_void_p(program.entry),
        ctypes.c_void_p(slots.ctypes.data),
        ctypes.c_int64(program.arena),
        (ctypes.c_int32 * 3)(*grid),
        None if order is None else ctypes.c_void_p(order.ctypes.data),
        ctypes.c_int64(MOST_RESIDENTS if program.waits else RESIDENTS if watching.interleaves else 1),
        ctypes.c_uint64(watching.seed),
    )
    if watching.tracks:
        library.rt_end_tracking(ctypes.byref(context))
    return Outcome(list(faults[: context.fault_count]), context.products, context.fuel <= 0, bytes(marks))


def _memory(arguments: Sequence[Argument], program: Program) -> tuple[Any, Any, Any]:
    """Return the arguments' slots, and extents behind them; their spans, and the storages that these are of.

    Every other tensor has a span too, where the kernel follows addresses that are no argument's. What is tracked of a
    storage are the smallest elements that are accessed there: views of it may differ in dtype.
    """
    count = len(arguments)
    others = [extent(tensor) for tensor in live_tensors()] if program.reaches_anywhere else []
    slots = np.zeros(2 * count + 1, np.int64)
    spans, storages = (Span * (count + len(others)))(), dict[int, tuple[int, int, int]]()
    for index, one in enumerate(arguments):
        if not one.is_pointer:
            _put_number(slots, index, one)
            continue
        tensor = one.tensor
        if tensor is None:
            slots[index], spans[index] = one.address, Span(one.address, one.address, -1, one.address)
            continue
        low, high = extent(tensor)
        address = one.address
        slots[index], slots[count + index] = address, high - address
        storage = tensor.untyped_storage()
        number, _, granule = storages.get(storage.data_ptr(), (len(storages), 0, tensor.element_size()))
        granule = min(granule, program.granule(index, tensor.element_size()))
        storages[storage.data_ptr()] = number, storage.nbytes(), granule
        spans[index] = Span(low, high, number, address)
    for index, (low, high) in enumerate(others):
        spans[count + index] = Span(low, high, -1, low)
    regions = (Region * len(storages))()
    for low, (index, size, granule) in storages.items():
        shadow = Watching.current.fresh.get(low)
        if shadow is None:
            regions[index] = Region(low, low + size, granule)
        else:
            written = ctypes.c_void_p(shadow.written.ctypes.data)
            regions[index] = Region(low, low + size, granule, written, shadow.pattern, shadow.period)
    return slots, spans, regions


def _put_number(slots: Any, index: int, argument: Argument) -> None:
    if argument.is_float:
        slots.view(np.float64)[index] = float(argument.value)
    else:
        number = int(argument.value)
        slots[index] = number - (1 << 64) if number >= 1 << 63 else number
