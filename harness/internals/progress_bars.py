"""Torch's progress bars: tqdm, where it is installed, starts a thread with the first, though nothing is shown."""

from eagerdiff.harness.internals.hook import Hook

HOOKS = {"bar": Hook("torch", "torch.hub:tqdm", "counts the nodes of a graph that is interpreted", since="1.0")}


def without_monitor() -> None:
    """Have bars start no thread: it would not survive a fork, and seem left behind by what compiles first."""
    bar = HOOKS["bar"].reach()
    if hasattr(bar, "monitor_interval"):
        bar.monitor_interval = 0
