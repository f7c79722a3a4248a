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
MANY = {"handlers": _HANDLERS, "limits": _LIMITS, "timers": _TIMERS}
"""Which values are told one by one, and the name of each."""


def surroundings() -> dict[str, object]:
    """Return the folder, the variables, how signals are taken, timers, limits, and where standard descriptors lead."""
    return {
        "handlers": tuple(map(signal.getsignal, _SIGNALS)),
        "limits": tuple(map(resource.getrlimit, _LIMIT_NUMBERS)),
        "timers": tuple(map(_is_set, _TIMER_NUMBERS)),
        "the working directory": _folder(),
        "umask": _mask(),
        "blocked signals": frozenset(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        **{f"descriptor {number}": _target(number) for number in _STANDARD},
        # As it is kept: decoding it takes longer than all the rest.
        VARIABLE: getattr(os.environ, "_data", {}).copy(),
    }


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
