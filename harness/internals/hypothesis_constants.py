"""The literals of loaded modules that Hypothesis mixes into what it draws."""

from typing import Any

from eagerdiff.harness.internals.hook import Hook

_HOME = "hypothesis.internal.conjecture.providers"
_WHY = "keeps a seed's draws the same in two processes"
HOOKS = {
    "local": Hook("hypothesis", f"{_HOME}:_get_local_constants", _WHY, since="6.131"),
    "cache": Hook("hypothesis", f"{_HOME}:CONSTANTS_CACHE", _WHY, since="6.131"),
    "Constants": Hook("hypothesis", f"{_HOME}:Constants", _WHY, since="6.131"),
}


def forget_local_constants() -> None:
    """Keep Hypothesis from mixing literals of whichever modules are loaded into what it draws.

    With them one seed gives different draws in two processes. Raises Gone where the mechanism is another; no public
    switch exists.
    """
    if HOOKS["local"].reach() is _no_constants:
        return
    HOOKS["local"].replace(_no_constants)
    cache = HOOKS["cache"].reach()  # one for each thread: every thread's is to go
    HOOKS["cache"].replace(type(cache)(cache.max_size))


def _no_constants() -> Any:
    return HOOKS["Constants"].reach()()
