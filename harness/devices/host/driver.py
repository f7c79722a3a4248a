"""Triton's driver for this machine: kernels are loaded and launched; all else is as without a GPU."""

from typing import Any

from eagerdiff.harness.devices.host.artefact import Artefact, Program
from eagerdiff.harness.devices.host.launch import Launcher
from eagerdiff.harness.devices.offline_driver import OfflineDriver, OfflineProperties

REGISTERS = 32
"""What each thread of a kernel is said to take, for programs that reckon how many fit."""


class HostProperties(OfflineProperties):
    """Answer what Triton asks of `driver.active.utils`."""

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> Any:
        """Load a kernel; it takes a few registers, spills nothing, and takes as many threads as are asked for."""
        program = Program(Artefact.from_bytes(kernel))
        return program, program, REGISTERS, 0, 1 << 20


class HostDriver(OfflineDriver):
    """Stand in for `triton.backends.nvidia.driver.CudaDriver`."""

    launcher_cls = Launcher

    def __init__(self, target: Any) -> None:
        super().__init__(target)
        self.utils = HostProperties()
