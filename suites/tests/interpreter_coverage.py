"""A kernel with branches, loops and configurations, and what is noted of it; run in an interpreted process."""

# pyright: basic, reportArgumentType=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
import torch
import triton
import triton.language as tl

from eagerdiff.harness.devices import parse

CONFIGS = [triton.Config({"BLOCK": block}) for block in (8, 16, 32)]


@triton.jit
def _scaled(x, DOUBLE: tl.constexpr):
    if DOUBLE:
        x = x * 2
    return x


@triton.autotune(
    configs=CONFIGS,
    key=["n"],
    prune_configs_by={"early_config_prune": lambda configs, named, **_: configs[named["n"] > 100 :]},
)
@triton.jit
def sum_kernel(x_ptr, o_ptr, n, DOUBLE: tl.constexpr, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + at, mask=at < n, other=0.0)
    if tl.program_id(0) == 0:
        tl.store(o_ptr, _scaled(tl.sum(total, 0), DOUBLE))


def covered(sizes: list[int], programs: int, double: bool) -> tuple[list[float], dict[str, dict[str, dict[str, bool]]]]:
    """Return the sums of ones, and what was reached."""
    sums = []
    for size in sizes:
        out = torch.zeros(1)
        sum_kernel[(programs,)](torch.ones(size), out, size, DOUBLE=double)
        sums.append(out.item())
    return sums, parse("interpreted").kernel_coverage()
