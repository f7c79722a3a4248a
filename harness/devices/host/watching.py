"""Who is told what compiled kernels do in this process."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import torch

from eagerdiff.harness.devices.extents import extent
from eagerdiff.harness.devices.host.context import Outcome, What
from eagerdiff.harness.devices.watch import MemoryFault, MemoryWatch

if TYPE_CHECKING:
    from eagerdiff.harness.devices.host.arguments import Argument
    from eagerdiff.harness.devices.host.artefact import Program


class KernelFault(RuntimeError):
    """A kernel did what it must not while nothing watched it, or what no launch goes on after."""


class Watching:
    """Hold what a launch is to look for, and tell a watch what it met."""

    current: ClassVar["Watching"]

    def __init__(self, watch: MemoryWatch | None = None, *, tracks: bool = False, interleaves: bool = False) -> None:
        self._watch = watch
        self.seed = 0 if watch is None else watch.shuffle_seed
        self.tracks = tracks
        self.interleaves = interleaves

    def shadow(self, storage: int, size: int) -> int | None:
        """Return the address of what is known of a storage's bytes; None: all were written."""
        return None

    def told(
        self,
        kernel: str,
        program: "Program",
        arguments: Sequence["Argument"],
        grid: tuple[int, int, int],
        outcome: Outcome,
    ) -> None:
        """Take what a launch met; raise `KernelFault` for what nothing watches, for assertions and endless loops."""
        if self._watch is not None:
            self._watch.kernels[kernel] += 1
            if outcome.products:
                self._watch.multiplications[kernel] += outcome.products
        for fault in outcome.faults:
            site = program.sites[fault.site]
            at = (fault.program % grid[0], fault.program // grid[0] % grid[1], fault.program // grid[0] // grid[1])
            if fault.what == What.ASSERTION:
                raise KernelFault(f"{kernel}: {site.message or 'device_assert'} at {site.line}, program {at}")
            argument = arguments[site.argument] if site.argument >= 0 else None
            tensor = argument.tensor if argument is not None else None
            found = MemoryFault(
                kind=site.kind,  # pyright: ignore[reportArgumentType]
                kernel=kernel,
                argument=argument.name if argument is not None else "<address>",
                lanes=fault.count,
                offset=fault.offset // site.size,
                extent=0 if tensor is None else _elements(tensor),
                program=at,
            )
            if self._watch is None:
                raise KernelFault(f"{found.describe()} at {site.line}")
            self._watch.report(found)
        if outcome.exhausted:
            raise KernelFault(f"{kernel}: a loop does not end")


def _elements(tensor: torch.Tensor) -> int:
    low, high = extent(tensor)
    return (high - low) // tensor.element_size()


Watching.current = Watching()
