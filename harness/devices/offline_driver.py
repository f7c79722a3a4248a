"""A Triton driver with no GPU behind it: Triton specialises and compiles, Inductor emits GPU code."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from eagerdiff.harness.internals.triton_compiler import GPUTarget
from eagerdiff.harness.internals.triton_driver import use_driver

PROPERTIES: dict[str, int] = {
    "max_shared_mem": 232448,
    "max_num_regs": 65536,
    "multiprocessor_count": 132,
    "warpSize": 32,
    "sm_clock_rate": 1_980_000,
    "mem_clock_rate": 2_619_000,
    "mem_bus_width": 5120,
}
"""What an H100 SXM answers; clocks in kHz, sizes in bytes and bits."""


class OfflineProperties:
    """Answer what Triton asks of `driver.active.utils`."""

    def get_device_properties(self, device: int) -> dict[str, int]:
        """Return `PROPERTIES`, whatever the device."""
        return dict(PROPERTIES)

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> Any:
        """Refuse: there is nothing to load a kernel on."""
        raise RuntimeError("no GPU: this process compiles only, or interprets")


class OfflineDriver:
    """Stand in for `triton.backends.nvidia.driver.CudaDriver`."""

    launcher_cls: Any = None

    def __init__(self, target: GPUTarget) -> None:
        self.target = target
        self.compiles_choices = False
        """Whether every choice of an autotuner is launched, so that it is compiled; else the first is taken unseen."""
        self.utils = OfflineProperties()

    @classmethod
    def for_target(cls, backend: str, arch: int | str, warp_size: int) -> "OfflineDriver":
        """Build a driver that answers with `GPUTarget(backend, arch, warp_size)`."""
        return cls(GPUTarget(backend, arch, warp_size))

    @classmethod
    def is_active(cls) -> bool:
        """Say no, so that Triton never picks this driver by itself."""
        return False

    def get_current_target(self) -> GPUTarget:
        """Return the target given."""
        return self.target

    def get_current_device(self) -> int:
        """Return device 0."""
        return 0

    def set_current_device(self, device: int) -> None:
        """Ignore the device: there is one."""

    def get_current_stream(self, device: int | None = 0) -> int:
        """Return stream 0."""
        return 0

    def get_active_torch_device(self) -> torch.device:
        """Return the processor, where the tensors live."""
        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        """Return `torch.cpu`, which synchronises and names devices as `torch.cuda` does."""
        return torch.cpu

    def map_python_to_cpp_type(self, ty: str) -> str:
        """Return the C++ type of a Triton type's name, for generated launchers."""
        return "void*" if ty.startswith("*") else ty

    def get_benchmarker(self) -> Callable[..., Any]:
        """Return a benchmarker that times nothing and calls every choice equal, so the first is taken."""

        def benchmark(kernel_call: Callable[[], Any], *, quantiles: Sequence[float] | None = None, **_: Any) -> Any:
            if self.compiles_choices:
                kernel_call()
            return [0.0] * len(quantiles) if quantiles else 0.0

        return benchmark

    def get_empty_cache_for_benchmark(self) -> torch.Tensor:
        """Return one byte: there is no L2 to flush."""
        return torch.zeros(1, dtype=torch.int8)

    def clear_cache(self, cache: torch.Tensor) -> None:
        """Do nothing: there is no L2 to flush."""


def install(offline: OfflineDriver) -> None:
    """Make Triton use the driver in this process; raise Gone where this Triton has no way to."""
    use_driver(offline)
