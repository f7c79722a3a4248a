"""A hook: one private thing of another project, where it stands, and for which releases."""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Any

from eagerdiff.harness.internals.releases import installed, read_release, release


class Gone(RuntimeError):
    """Say in one line which private thing this release does not have, and for which it was there."""


class State(StrEnum):
    """Say what became of a hook in what is installed."""

    PRESENT = "present"
    ABSENT = "absent"
    CHANGED = "changed"
    """There, but it does not take what it is given."""
    ELSEWHERE = "of other releases"
    """Not there, and not asked for: another hook takes its place."""


@dataclass(frozen=True)
class Hook:
    """Name one private thing, what it is needed for, and the releases that have it."""

    of: str
    """The distribution: torch."""
    path: str
    """Module and, after a colon, the name in it: `triton.runtime.jit:JITFunction.run`."""
    why: str
    """What would not work without it, to follow "which"."""
    since: str
    """The first release for which it is known to hold."""
    before: str = ""
    """The first release that has it no more."""
    parameters: tuple[str, ...] = ()
    """Names that its signature must have."""

    @property
    def applies(self) -> bool:
        """Whether the installed release is one for which the hook holds; later ones are until told otherwise."""
        found = release(self.of)
        return read_release(self.since) <= found and not (self.before and found >= read_release(self.before))

    def reach(self) -> Any:
        """Return the thing; raise Gone where it is not there."""
        module, _, name = self.path.partition(":")
        try:
            return _follow(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise Gone(self.absence()) from error

    def at_call(self) -> Callable[..., Any]:
        """Return a function that reaches for it, a function, at each call: importing Dynamo takes a second."""

        def call(*args: Any, **options: Any) -> Any:
            return self.reach()(*args, **options)

        return call

    def loaded(self) -> Any:
        """Return the thing if its module is loaded already, else None: loading Dynamo takes a second."""
        module, _, name = self.path.partition(":")
        try:
            return _follow(sys.modules[module], name)
        except (KeyError, AttributeError):
            return None

    def replace(self, thing: Any) -> Any:
        """Put another in its place, for this process, and return what was there; raise Gone where nothing was."""
        before = self.reach()
        owner, _, name = self.path.partition(":")[2].rpartition(".")
        setattr(_follow(importlib.import_module(self.path.partition(":")[0]), owner), name, thing)
        return before

    def state(self) -> State:
        """Look, importing what it takes."""
        try:
            found = self.reach()
        except Gone:
            return State.ABSENT if self.applies else State.ELSEWHERE
        return State.PRESENT if _takes(found, self.parameters) else State.CHANGED

    def absence(self) -> str:
        """Return the line of `Gone`."""
        here = installed(self.of) or "(not installed)"
        until = f"before {self.before}" if self.before else "on"
        name = self.path.replace(":", ".")
        return f"{self.of} {here} has no {name} (known from {self.since} {until}), which {self.why}: eagerdiff doctor"


def reaching(module: str, hooks: Mapping[str, Hook]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module (PEP 562) whose names are hooks, looked up when they are asked for."""

    def reach(name: str) -> Any:
        if name not in hooks:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return hooks[name].reach()

    return reach


def _follow(module: Any, name: str) -> Any:
    return reduce(getattr, name.split(".") if name else [], module)


def _takes(thing: Any, parameters: tuple[str, ...]) -> bool:
    if not parameters:
        return True
    try:
        there = inspect.signature(thing).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        return True
    return set(parameters) <= set(there)
