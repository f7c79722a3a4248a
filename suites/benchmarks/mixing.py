"""Ways of computing a mixture of experts side by side, counted with no GPU; see `eagerdiff.suites.moe_metrics`."""

from eagerdiff.suites import moe_metrics

from .subjects import catalog

WAYS = [way for way, name in moe_metrics.WAYS.items() if name in catalog().implementations["moe"]]


def _value(what: str, by: str, of: str = "") -> float:
    """Look a figure up; a way that fell back to eager is named so."""
    found = moe_metrics.figures()
    return next(one.value for one in found if (one.what, one.by.removesuffix(_EAGER), one.of) == (what, by, of))


_EAGER = ", then eager"


class MixingLaunches:
    """Count what a call launches, whatever the number of experts."""

    version = "1"
    timeout = 300
    params = (WAYS, moe_metrics.EXPERTS)
    param_names = ("way", "experts")

    def track_launches(self, way: str, experts: int) -> float:
        """Count Triton kernels, and torch operations that launch one at least."""
        return _value(moe_metrics.LAUNCHED, way, f"{experts} experts")

    track_launches.unit = "kernels"  # type: ignore[attr-defined]

    def track_matrix_products(self, way: str, experts: int) -> float:
        """Count those of them that multiply matrices."""
        return _value(moe_metrics.PRODUCTS, way, f"{experts} experts")

    track_matrix_products.unit = "kernels"  # type: ignore[attr-defined]


class MixingWaste:
    """Metric what is multiplied in vain."""

    version = "1"
    timeout = 300
    params = (WAYS, list(moe_metrics.ROUTINGS))
    param_names = ("way", "routing")

    def track_wasted_percent(self, way: str, routing: str) -> float:
        """Metric the share of multiply-adds that are of padding or of one-hot tensors."""
        return _value(moe_metrics.WASTED, way, routing)

    track_wasted_percent.unit = "%"  # type: ignore[attr-defined]


class MixingCompiles:
    """Count compilations over a sweep of numbers of tokens."""

    version = "1"
    timeout = 300
    params = ([*(f"work-list, {mode}" for mode in moe_metrics.MODES), *(way for way in WAYS if way != "work-list")],)
    param_names = ("way",)

    def track_compilations(self, way: str) -> float:
        """Count those of the ledger."""
        return _value(moe_metrics.COMPILED, way)

    track_compilations.unit = "compilations"  # type: ignore[attr-defined]
