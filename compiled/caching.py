"""Caching: compiled code that is answered from torch's caches on disk, and what comes before each call."""

import contextlib
import inspect
import itertools
import os
import shutil
import weakref
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from eagerdiff import cache_folder
from eagerdiff.compiled import neighbours, precompiled
from eagerdiff.compiled.neighbours import AmongNeighbours
from eagerdiff.compiled.precompiled import Precompiled
from eagerdiff.harness.internals.graph_caches import kept_in

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

Function = Callable[..., Any]
_serial = itertools.count()


class GraphCaches:
    """Hold the folder in which the graphs of one build are kept: nothing of another build is met there."""

    def __init__(self) -> None:
        """Make an empty folder, and remove those of processes that are gone."""
        self.home = cache_folder() / "graphs"
        for left in self.home.glob("*-*"):
            if not Path("/proc", left.name.partition("-")[0]).exists():
                shutil.rmtree(left, ignore_errors=True)
        self.handed_on: list[bytes] = []
        self.renew()

    def renew(self) -> None:
        """Go on with an empty folder."""
        self.folder = self.home / f"{os.getpid()}-{next(_serial)}"
        self.folder.mkdir(parents=True)
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def in_force(self) -> Generator[None]:
        """Switch the caches on, in the folder; at the end, what was met is there to be handed on."""
        with kept_in(lambda: self.folder):
            try:
                yield
            finally:
                if found := torch.compiler.save_cache_artifacts():
                    self.handed_on.append(found[0])

    def around(self, function: Function) -> Function:
        """Return a function that is called, and its backward with it, with these caches in force."""

        def call(*args: Any, **options: Any) -> Any:
            with self.in_force():
                return function(*args, **options)

        return call

    def hand_on(self) -> None:
        """Go on with an empty folder, and load into it what was saved of the ones before: what another process has."""
        self.renew()
        for artifacts in self.handed_on:
            torch.compiler.load_cache_artifacts(artifacts)


@dataclass(frozen=True, kw_only=True)
class Caching:
    """Describe what comes before the calls of compiled code whose graphs are kept on disk."""

    call: Callable[[GraphCaches, Function, Callable[..., Function], int], Function]
    """Of the caches, an eager function, what compiles one with further options of Inductor's, and a seed: return what
    is called."""
    source: str
    """The same as source that defines `implementation` of `compiled`, `make`, and what stands in place of `NAME`
    and `SEED`."""
    compiles: int = 1
    """Most compilations of one function that a call may cost."""
    ahead: bool = False
    """Whether it is compiled ahead of its calls, as one graph."""


def globals_of(function: Function) -> dict[str, Any]:
    """Return the names that a function sees; those of what is called where it is no plain function."""
    return getattr(function, "__globals__", {})


def _cached(caches: GraphCaches, function: Function, make: Callable[..., Function], seed: int) -> Function:
    return _every_other(make(function), torch.compiler.reset)


def _handed_on(caches: GraphCaches, function: Function, make: Callable[..., Function], seed: int) -> Function:
    def forget() -> None:
        torch.compiler.reset()
        caches.hand_on()

    return _every_other(make(function), forget)


def _every_other(compiled: Function, forget: Callable[[], None]) -> Function:
    """Forget before every other call: what was loaded answers the next one as well, with other sizes."""
    number = itertools.count()

    def call(*args: Any, **options: Any) -> Any:
        if next(number) % 2:
            forget()
        return compiled(*args, **options)

    return call


_CACHE = """
import itertools, os, tempfile
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
NUMBER = itertools.count()


def implementation(*args, **options):
    if next(NUMBER) % 2:
        {forget}
    return compiled(*args, **options)
"""

CACHED = Caching(call=_cached, source=_CACHE.replace("{forget}", "torch.compiler.reset()"))
"""Before every other call the process forgets what it compiled, but for what is on disk."""
HANDED_ON = Caching(
    call=_handed_on,
    source=_CACHE.replace(
        "{forget}",
        """saved = torch.compiler.save_cache_artifacts()
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
        torch.compiler.reset()
        saved and torch.compiler.load_cache_artifacts(saved[0])""",
    ),
)
"""The same, and what is on disk is saved, and loaded where nothing is."""
NEIGHBOURS = Caching(
    call=lambda caches, function, make, seed: AmongNeighbours(function, make, seed, caches.renew),
    source=inspect.getsource(neighbours)
    + """
import os, tempfile


def renew():
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()


implementation = AmongNeighbours(NAME, make, SEED, renew)
""",
    compiles=2,
)
"""Before each call a neighbour of it is compiled."""
PRECOMPILED = Caching(
    call=lambda caches, function, make, seed: Precompiled(
        make(function), lambda: str(caches.folder / "artifact"), globals_of(function)
    ),
    source=inspect.getsource(precompiled)
    + """
import os, tempfile
implementation = Precompiled(compiled, lambda: os.path.join(tempfile.mkdtemp(), "artifact"), globals())
""",
    ahead=True,
)
"""Compiled ahead for a call, saved and loaded: what its guards do not accept is compiled ahead as well."""
