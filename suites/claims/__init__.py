"""What others claim, measured here, a claim a row: `python -m eagerdiff.suites.claims`."""

from eagerdiff.suites.claims.claim import Claim
from eagerdiff.suites.claims.taking import claims, taken

__all__ = ["Claim", "claims", "taken"]
