"""Loading: a catalog read in a process of its own, whatever importing a plug-in does there."""

from eagerdiff.harness.loading.loader import load_apart

__all__ = ["load_apart"]
