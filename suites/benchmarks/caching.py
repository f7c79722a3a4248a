"""What the KV cache wastes: slots, blocks, misses, bytes moved by tier; see `suites/kv_metrics.py`. More is worse."""

from statistics import fmean

from eagerdiff.suites import kv_metrics

WAYS = (
    "azure, padded", "azure, doubled", "azure, paged", "azure, prefix cache",
    "drawn, padded", "drawn, paged", "drawn, prefix cache",
)  # fmt: skip
"""Trace, and what is reserved: the most that there may be, the output to a power of two, blocks, shared blocks."""


class CachingSlots:
    """Metric the share of reserved slots that hold nothing."""

    version = "1"
    timeout = 300
    params = (WAYS,)
    param_names = ("way",)

    def track_slots_idle_percent(self, way: str) -> float:
        """Metric the mean over all steps."""
        trace, reserved = way.split(", ")
        usage = _usage(trace, reserved == "prefix cache")
        padded = {"padded": usage.padded, "doubled": usage.doubled}
        return 100 - (100 * fmean(padded[reserved]) if reserved in padded else usage.share)

    track_slots_idle_percent.unit = "%"  # type: ignore[attr-defined]


class CachingSharing:
    """Metric what is needed where blocks are shared."""

    version = "1"
    timeout = 300
    params = (("azure", "drawn"),)
    param_names = ("trace",)

    def track_blocks_needed_percent(self, trace: str) -> float:
        """Metric the blocks as a share of those that there would be without sharing."""
        return 100 - _usage(trace, True).saved_share

    track_blocks_needed_percent.unit = "%"  # type: ignore[attr-defined]


class CachingHits:
    """Metric where the blocks of prompts are not found, over the trace as long as Azure's."""

    version = "1"
    timeout = 300
    params = (("gpu", "host", "disk"),)
    param_names = ("tier",)

    def track_miss_rate(self, tier: str) -> float:
        """Metric the share of the blocks looked for that the tier did not have."""
        return 100 - kv_metrics.served(True).found(tier)

    track_miss_rate.unit = "%"  # type: ignore[attr-defined]


class CachingMoves:
    """Metric what goes into and out of the lower tiers, over the trace as long as Azure's."""

    version = "1"
    timeout = 300
    params = (("host", "disk"),)
    param_names = ("tier",)

    def track_gibibytes_moved(self, tier: str) -> float:
        """Metric it at 128 KiB a token."""
        return kv_metrics.served(True).moved(tier)

    track_gibibytes_moved.unit = "GiB"  # type: ignore[attr-defined]


def _usage(trace: str, prefix_caching: bool) -> kv_metrics.Usage:
    if trace == "azure":
        return kv_metrics.served(prefix_caching).usage
    return kv_metrics.replayed(prefix_caching)
