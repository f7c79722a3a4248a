"""Whether a process forked from this one could use CUDA."""

from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {"bad": Hook("torch", "torch.cuda:_is_in_bad_fork", "says whether a fork may use CUDA", since="1.0")}


def is_in_bad_fork() -> Any:
    """Return whether this process was forked from one that had started CUDA."""
    return HOOKS["bad"].reach()()
