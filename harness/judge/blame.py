"""Blame: whose failure an exception is, ours (this project's, or a plug-in's glue) or that of what is under test.

The frames are walked from the innermost outwards, Python's own left out, of the exception that was first in a chain of
causes. What a framework raises is about what is under test, also where our glue called the framework.
"""

import dis
import os
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eagerdiff.harness.judge.exceptions import innermost_frame, one_line
from eagerdiff.harness.model.verdict import Oracle, Verdict, harness_error

GLUE = "__eagerdiff_glue__"
"""A module, or a package for all its modules, that sets this to True only brings what is under test to run: what it
raises itself is a harness error, in a call too."""
TOLD = "__eagerdiff_told__"
"""An exception's class that sets this to True tells what was raised elsewhere, in a process of what is under test."""
_HARNESS = "eagerdiff.harness"
_PASSING = f"{_HARNESS}.devices.uninitialised"
"""It passes torch's allocations on to torch: what raises there is torch, of the call that wanted memory."""
_WANTING = (KeyError, AttributeError, NameError, ImportError, NotImplementedError)
"""What our devices raise for want of something of their own; the rest they raise on purpose, of a kernel."""
_MISTAKES = (KeyError, AttributeError, NameError, ImportError, TypeError)
"""What glue raises by mistake without a `raise` of its own; the rest comes from compiled code that it called."""
_RAISE = dis.opmap["RAISE_VARARGS"]
_STDLIB = sysconfig.get_paths()["stdlib"]


@dataclass(frozen=True)
class _Place:
    """Say where a frame is: its module's name, its file."""

    module: str
    file: str
    raises: bool
    """Whether the frame is at a `raise` of its own, or an `assert`, and not in a call of what is written in C."""

    def is_within(self, package: str) -> bool:
        return f"{self.module}.".startswith(f"{package}.")

    @property
    def is_python(self) -> bool:
        installed = "site-packages" in self.file or "dist-packages" in self.file
        return self.file.startswith("<frozen") or (self.file.startswith(_STDLIB) and not installed)

    @property
    def is_glue(self) -> bool:
        parts = self.module.split(".")
        packages = (sys.modules.get(".".join(parts[:count])) for count in range(1, len(parts) + 1))
        return any(getattr(package, GLUE, False) is True for package in packages)


def ours_in_build(error: BaseException, build: Callable[..., Any]) -> Verdict | None:
    """Return the harness error that an exception of `build` is; None where a framework raised it.

    A function that a framework traces in `build` (an export) is under test: what it raises there is not ours.
    """
    first = _first_cause(error)
    if _is_told(error):
        return None
    places = _below(error, first)
    if places and not (places[-1].is_glue or places[-1].is_within(_HARNESS)):
        home = _home(build)
        if not all(_is_own(place, home) for place in places):
            return None
    return _verdict(error, Oracle.BUILD, "build")


def ours_in_call(error: BaseException) -> Verdict | None:
    """Return the harness error that an exception of a call is; None where what was called raised it.

    What `build` returned is under test, its host code included, but for modules that are marked as glue: what they
    raise, and the mistakes that they make. On the interpreted device so is what the interpreter lacks.
    """
    first = _first_cause(error)
    places = _below(error, first)
    if not places or _is_told(error):
        return None
    lacks = places[-1].is_within(f"{_HARNESS}.devices") and isinstance(first, _WANTING)
    mistaken = places[-1].is_glue and (places[-1].raises or isinstance(first, _MISTAKES))
    return _verdict(error, Oracle.HARNESS, "glue") if lacks or mistaken else None


def _is_told(error: BaseException) -> bool:
    return getattr(type(error), TOLD, False) is True


def broken(error: BaseException, oracle: Oracle, what: str) -> Verdict:
    """Return the harness error for an exception of something that is ours or a plug-in's glue, whatever raised it."""
    return _verdict(error, oracle, what)


def _verdict(error: BaseException, oracle: Oracle, what: str) -> Verdict:
    return harness_error(f"{what} raised {one_line(error)}", oracle, innermost_frame(_first_cause(error)))


def _first_cause(error: BaseException) -> BaseException:
    """Return the first of a chain of causes; of those that say where they were raised, for torch takes frames away."""
    met, first = {id(error)}, error
    while error.__cause__ is not None and id(error.__cause__) not in met:
        error = error.__cause__
        met.add(id(error))
        first = error if error.__traceback__ is not None else first
    return first


def _places(error: BaseException) -> list[_Place]:
    """Return the frames of an exception, the innermost last, without Python's own."""
    places: list[_Place] = []
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        raises = code.co_code[tb.tb_lasti] == _RAISE
        places.append(_Place(str(tb.tb_frame.f_globals.get("__name__", "")), code.co_filename, raises))
        tb = tb.tb_next
    return [place for place in places if not place.is_python]


def _below(error: BaseException, first: BaseException) -> list[_Place]:
    """Return the frames of a chain's first exception, without the frame that called what raised."""
    places = _places(first)[1 if first is error else 0 :]
    while places and places[-1].is_within(_PASSING) and not places[-1].raises:
        places.pop()
    return places


def _home(function: Callable[..., Any]) -> _Place:
    module = getattr(function, "__module__", "") or ""
    return _Place(module, getattr(sys.modules.get(module), "__file__", "") or "", raises=False)


def _is_own(place: _Place, home: _Place) -> bool:
    """Whether a frame is of this project, or of the package or the folder of a plug-in."""
    beside = bool(home.file) and os.path.dirname(place.file) == os.path.dirname(home.file)
    package = home.module.partition(".")[0]
    return beside or place.is_within("eagerdiff") or (bool(package) and place.is_within(package))
