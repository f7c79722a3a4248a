"""What can be counted of Triton kernels with no GPU: they are compiled for one over a fixed workload, and not run."""

from typing import Any

from eagerdiff import offline_reports

from .suite import PerWorkload, of_plug_ins


class _Counting(PerWorkload):
    """Compile every launch of a workload for a GPU that need not be there."""

    on = "offline"

    def track_specialisations(self, *_: Any) -> int:
        """Count the kernels that Triton compiles over the workload: sizes of 1, divisible by 16, pointers unaligned."""
        return len(offline_reports(self.subject))

    track_specialisations.unit = "kernels"  # type: ignore[attr-defined]

    def track_registers(self, *_: Any) -> int:
        """Count the registers a thread of the kernel that needs most."""
        return max(report.registers for report in offline_reports(self.subject))

    track_registers.unit = "registers"  # type: ignore[attr-defined]

    def track_spills(self, *_: Any) -> int:
        """Count the bytes that all kernels spill to local memory."""
        return sum(report.spill_bytes for report in offline_reports(self.subject))

    track_spills.unit = "bytes"  # type: ignore[attr-defined]


class CountingPagedAttention(_Counting, operator="paged_attention"):
    """Attention over a paged cache."""


class CountingCascadeMerge(_Counting, operator="cascade_merge"):
    """Merges of partial attention."""


class CountingCacheWrite(_Counting, operator="cache_write"):
    """Writes to a paged cache."""


class CountingBlockCopy(_Counting, operator="block_copy"):
    """Copies between blocks of a cache."""


class CountingMoe(_Counting, operator="moe"):
    """Mixtures of experts."""


class CountingMoeRouting(_Counting, operator="moe_routing"):
    """Routing of tokens to experts."""


class CountingMoeGradients(_Counting, operator="moe_gradients"):
    """Mixtures of experts, forward and backward."""


class CountingMoePermute(_Counting, operator="moe_permute"):
    """Permutations of tokens by expert."""


class CountingDecoder(_Counting, operator="decoder"):
    """Serving traces of a small decoder."""


globals().update(of_plug_ins(_Counting))
