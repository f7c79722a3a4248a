"""Surroundings: what the system keeps for the process."""

import contextlib
import os
import resource
import signal

_TIMERS = ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")
_LIMITS = tuple(name for name in dir(resource) if name.startswith("RLIMIT_"))
_LIMIT_NUMBERS = tuple(getattr(resource, name) for name in _LIMITS)
_TIMER_NUMBERS = tuple(getattr(signal, name) for name in _TIMERS)
_SIGNALS = tuple(sorted(signal.valid_signals()))
_HANDLERS = tuple(f"the handler of {getattr(number, 'name', f'signal {number}')}" for number in _SIGNALS)
_STANDARD = (0, 1, 2)
VARIABLE = "os.environ"


def surroundings() -> dict[str, object]:
    """Return the folder, the variables, how signals are taken, timers, limits, and where standard descriptors lead."""
    found: dict[str, object] = dict(zip(_HANDLERS, map(signal.getsignal, _SIGNALS), strict=True))
    found.update(zip(_LIMITS, map(resource.getrlimit, _LIMIT_NUMBERS), strict=True))
    found.update(zip(_TIMERS, map(_is_set, _TIMER_NUMBERS), strict=True))
    found["the working directory"] = _folder()
    found["umask"] = _mask()
    found["blocked signals"] = frozenset(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    for number in _STANDARD:
        found[f"descriptor {number}"] = _target(number)
    # As it is kept: decoding it takes longer than all the rest.
    found[VARIABLE] = getattr(os.environ, "_data", {}).copy()
    return found


def _is_set(timer: int) -> bool:
    return signal.getitimer(timer)[0] > 0


def _folder() -> str:
    with contextlib.suppress(OSError):
        return os.getcwd()
    return "(removed)"


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _target(number: int) -> object:
    with contextlib.suppress(OSError):
        found = os.fstat(number)
        return found.st_dev, found.st_ino
    return "(closed)"
