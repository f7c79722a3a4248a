"""Who is told what compiled kernels do in this process."""

import weakref
from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, ClassVar, cast

import torch

from eagerdiff.harness.devices.extents import extent
from eagerdiff.harness.devices.host.context import Fault, Outcome, What
from eagerdiff.harness.devices.host.fresh import Fresh
from eagerdiff.harness.devices.watch import AccessKind, MemoryFault, MemoryWatch, Wrong

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.arguments import Argument
    from eagerdiff.harness.devices.host.artefact import Program


Programs = tuple[int, int, int]
"""How many programs there are along x, y and z, or which one it is."""
_WRONG: dict[What, Wrong] = {
    What.OUTSIDE: "outside",
    What.UNINITIALISED: "uninitialised",
    What.RACE: "race",
    What.BEYOND: "beyond",
}


class KernelFault(RuntimeError):
    """A kernel did what it must not while nothing watched it, or what no launch goes on after."""


class Watching:
    """Hold what a launch is to look for, and tell a watch what it met."""

    current: ClassVar["Watching"]

    def __init__(
        self,
        watch: MemoryWatch | None = None,
        *,
        tracks: bool = False,
        interleaves: bool = False,
        whole: bool = False,
    ) -> None:
        self._watch = watch
        self.seed = 0 if watch is None else watch.shuffle_seed
        self.tracks = tracks
        self.interleaves = interleaves
        self.whole = whole
        """Whether a kernel may reach beyond a view that it is given, within its storage: then that is told and done."""
        self.fresh: dict[int, Fresh] = {}
        """Allocations that were filled, by the address of their storage."""

    def unread(self) -> float:
        """Return what the next launch's lanes hold that nothing read."""
        return nan if self._watch is None else self._watch.unread()

    def note(self, tensor: torch.Tensor) -> None:
        """Take note of an allocation that was filled."""
        storage = tensor.untyped_storage()
        address = storage.data_ptr()
        found = Fresh.of(tensor) if self.tracks else None
        if found is None:
            self.fresh.pop(address, None)
        else:
            self.fresh[address] = found
            weakref.finalize(storage, self.fresh.pop, address, None)

    def told(
        self,
        kernel: str,
        program: "Program",
        arguments: Sequence["Argument"],
        grid: Programs,
        outcome: Outcome,
    ) -> None:
        """Take what a launch met; raise `KernelFault` for what nothing watches, for assertions and endless loops."""
        if self._watch is not None:
            self._watch.kernels[kernel] += 1
            if outcome.products:
                self._watch.multiplications[kernel] += outcome.products
        for fault in outcome.faults:
            self._tell(kernel, program, arguments, grid, fault)
        if outcome.exhausted:
            raise KernelFault(f"{kernel}: a loop does not end")

    def _tell(
        self, kernel: str, program: "Program", arguments: Sequence["Argument"], grid: Programs, fault: Fault
    ) -> None:
        site, at = program.sites[fault.site], _place(fault.program, grid)
        if fault.what == What.ASSERTION:
            message = site.message or "device_assert"
            if self._watch is None or not self._watch.goes_on(kernel, message, site.line, at):
                raise KernelFault(f"{kernel}: {message} at {site.line}, program {at}")
            return
        argument = arguments[site.argument] if site.argument >= 0 else None
        tensor = argument.tensor if argument is not None else None
        found = MemoryFault(
            kind=cast(AccessKind, site.kind),
            kernel=kernel,
            argument=argument.name if argument is not None else "<address>",
            lanes=fault.count,
            offset=fault.offset // site.size,
            extent=0 if tensor is None else _elements(tensor),
            program=at,
            wrong=_WRONG[What(fault.what)],
            other=_place(fault.other, grid) if fault.what == What.RACE else None,
            line=site.line,
        )
        if self._watch is None:
            raise KernelFault(f"{found.describe()} at {site.line}")
        self._watch.report(found)


def _place(program: int, grid: Programs) -> Programs:
    """Return a program's ids along x, y and z."""
    return program % grid[0], program // grid[0] % grid[1], program // grid[0] // grid[1]


def _elements(tensor: torch.Tensor) -> int:
    low, high = extent(tensor)
    return (high - low) // tensor.element_size()


Watching.current = Watching()
