"""Provenance: where this distribution's own source stands."""

from pathlib import Path


def home() -> Path:
    """Return the folder that `harness`, `strategies`, `reference`, `compiled` and `suites` stand in.

    The repository in a checkout, the package `eagerdiff` where it is installed.
    """
    return Path(__file__).resolve().parents[2]
