"""How the KV cache uses its memory: slots in use, blocks saved, hits and bytes by tier; see `suites.kv_measures`."""

from statistics import fmean

from suites import kv_measures

WAYS = ("padded", "doubled", "paged", "prefix")
TIERS = ("gpu", "host", "disk")


class CachingSlots:
    """Measure the share of reserved slots that are in use, by what is reserved."""

    version = "1"
    timeout = 300
    params = (("azure", "drawn"), WAYS)
    param_names = ("trace", "way")

    def track_slots_in_use(self, trace: str, way: str) -> float:
        """Measure the mean over all steps."""
        usage = _usage(trace, way == "prefix")
        if way in ("paged", "prefix"):
            return usage.share
        shares = usage.padded if way == "padded" else usage.doubled
        if not shares:
            raise NotImplementedError("drawn traces do not tell prompts from outputs")
        return 100 * fmean(shares)

    track_slots_in_use.unit = "%"  # type: ignore[attr-defined]


class CachingSharing:
    """Measure what sharing saves."""

    version = "1"
    timeout = 300
    params = (("azure", "drawn"),)
    param_names = ("trace",)

    def track_blocks_saved(self, trace: str) -> float:
        """Measure the mean number of blocks that sharing saves."""
        return _usage(trace, True).saved

    track_blocks_saved.unit = "blocks"  # type: ignore[attr-defined]

    def track_blocks_saved_percent(self, trace: str) -> float:
        """Measure the same as a share of the blocks that there would be without."""
        return _usage(trace, True).saved_share

    track_blocks_saved_percent.unit = "%"  # type: ignore[attr-defined]


class CachingTiers:
    """Measure what each tier is good for, over the trace as long as Azure's."""

    version = "1"
    timeout = 300
    params = (TIERS,)
    param_names = ("tier",)

    def track_hit_rate(self, tier: str) -> float:
        """Measure the share of the prompts' blocks that the tier had."""
        return kv_measures.served(True).found(tier)

    track_hit_rate.unit = "%"  # type: ignore[attr-defined]

    def track_gibibytes_moved(self, tier: str) -> float:
        """Measure what went into and out of the tier, at 128 KiB a token."""
        if tier == "gpu":
            raise NotImplementedError("nothing is moved to stay in the pool")
        return kv_measures.served(True).moved(tier)

    track_gibibytes_moved.unit = "GiB"  # type: ignore[attr-defined]


def _usage(trace: str, prefix_caching: bool) -> kv_measures.Usage:
    if trace == "azure":
        return kv_measures.served(prefix_caching).usage
    return kv_measures.replayed(prefix_caching)
