"""What others claim of compilers and caches: the figure that each claim is about; see `eagerdiff.suites.claims`."""

from eagerdiff.suites.claims import claims
from eagerdiff.suites.claims.taking import take


class Claims:
    """Metric the first figure of each claim, whatever its unit."""

    version = "1"
    timeout = 900
    params = (list(claims()),)
    param_names = ("claim",)

    def track_figure(self, claim: str) -> float:
        """Take the figure, in a process of its own."""
        return take(claims()[claim])[0].value

    track_figure.unit = "of the claim"  # type: ignore[attr-defined]
