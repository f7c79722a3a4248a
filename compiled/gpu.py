"""What kernels ask of the GPU that they are compiled for."""

from typing import Any

import triton


def is_hopper_or_later() -> bool:
    """Say whether it multiplies from shared memory, of which it has much: tiles need fewer registers."""
    return _is_cuda(90)


def is_blackwell_or_later() -> bool:
    """Say whether it sums products in tensor memory: on their way out they take registers of a few warps."""
    return _is_cuda(100)


def _is_cuda(least: int) -> bool:
    """Say whether it is NVIDIA's, of this compute capability (sm_90: 90) or a later one."""
    target: Any = triton.runtime.driver.active.get_current_target()
    return target.backend == "cuda" and target.arch >= least
