"""The roofline: what this machine can move and multiply, measured here and now."""

import functools
from dataclasses import dataclass

import torch

from eagerdiff.harness.model.operator import Cost
from eagerdiff.harness.timing.timers import timing_of

_COPY_BYTES = {"cpu": 1 << 26, "cuda": 1 << 31}
_MATMUL_SIZE = {"cpu": 512, "cuda": 8192}


@dataclass(frozen=True)
class Roofline:
    """Hold a machine's measured ceilings."""

    bandwidth: float
    """Bytes a second of a copy, read and written both counted."""
    flops: float
    """Floating-point operations a second of a dense matrix product in the given dtype."""

    def seconds(self, cost: Cost) -> float:
        """Return the least time that a cost needs on this machine."""
        return max(cost.bytes / self.bandwidth, cost.flops / self.flops)


@functools.cache
def measure(torch_device: str, dtype: torch.dtype) -> Roofline:
    """Measure copy bandwidth and the dense matmul rate of a device, on random data (zeros multiply faster)."""
    source = torch.randn(_COPY_BYTES[torch_device] // 4, device=torch_device)
    target = torch.empty_like(source)
    copying = timing_of([lambda: target.copy_(source)], torch_device).median
    size = _MATMUL_SIZE[torch_device]
    left, right = (torch.randn(size, size, device=torch_device).to(dtype) for _ in range(2))
    multiplying = timing_of([lambda: left @ right], torch_device).median
    return Roofline(2 * source.nbytes / copying, 2 * size**3 / multiplying)
