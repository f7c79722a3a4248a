"""One line for a function or a module: `check(f, x=("batch", "length", 64))`, under ways of compiling that matter."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from eagerdiff import Check, Checking, Effort, Implementation, Recording, check_settings, uncompiled
from eagerdiff.suites.own.checked import Checked as Checked  # for the face
from eagerdiff.suites.own.checked import CheckFailed as CheckFailed
from eagerdiff.suites.own.effort import effort, scripts_folder
from eagerdiff.suites.own.frozen import freeze, module_of
from eagerdiff.suites.own.kernel_check import LEAST_WORKLOADS, check_kernel
from eagerdiff.suites.own.page import Page
from eagerdiff.suites.own.pages import Asked, page_of, pages_like

DEFAULT = ("automatic", "dynamic", "unbacked", "gpu_code", "export")
"""Ways of compiling that a check goes through where none are named."""
SHORT: Mapping[str, str] = {
    **{mode: f"inductor.{mode}" for mode in ("static", "automatic", "dynamic", "mark_dynamic", "unbacked")},
    "gpu_code": "inductor_triton.dynamic",
    "export": "export.named",
    "aoti": "aoti.named",
}
"""What a way is called for short → its implementation."""


@dataclass(frozen=True)
class Way:
    """Check what a test gives under one way of compiling (`check.ways`)."""

    name: str

    def check(self, code: Callable[..., Any], *args: Any, **options: Any) -> Checked:
        """Do what `check` does, under this way alone."""
        __tracebackhide__ = True
        return check(code, *args, ways=(self.name,), **options)

    def __str__(self) -> str:
        """Be a parameter of a test."""
        return self.name


class Checker:
    """Be `check`: called with code, and asked for tests of its ways."""

    def __call__(
        self,
        code: Callable[..., Any] | None = None,
        /,
        *args: Any,
        kernel: Callable[..., Any] | None = None,
        reference: Callable[..., Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        dynamic: Mapping[str, Mapping[int, str]] | None = None,
        ways: Iterable[str] | None = None,
        gradients: bool | None = None,
        fullgraph: bool = False,
        max_compiles: int | None = None,
        seed: int | None = None,
        seconds: float | None = None,
        workloads: int | None = None,
        like: str | Path | Recording | None = None,
        **tensors: Any,
    ) -> Checked:
        """Hold compiled code against eager at sizes that change; raise CheckFailed where it fails.

        `code` is a function or a `torch.nn.Module`. Each argument is a tuple of sizes (`("batch", "length", 64)`; equal
        names are equal sizes), `tensor(...)` for more (dtype, what integers index), an example tensor, a Hypothesis
        strategy of numbers, a function `(sizes, generator) -> tensor`, the name of a size, or a constant. A keyword
        that is no parameter bounds a size: `picked=sizes(0, "length")`. `inputs` takes arguments by name that are
        called like an option of `check`. `dynamic` names the dims of example tensors that change
        (`{"x": {0: "batch"}}`); without it they are found out, as dtypes, indices and bounds are where nobody says
        them: `Checked.said` tells.

        `ways` are those of `SHORT` or names as `eagerdiff list` has them. `gradients` are taken of a module in training
        by default. `max_compiles` bounds the compilations of a workload, in place of the model of each way. `seconds`
        is the time of each way's search, after at least so many `workloads` (1, of a kernel 12, and no more than 12),
        which a busy machine may need more time for; equal seeds search alike. Where they are left out, pytest's
        `--eagerdiff-budget` and `--eagerdiff-seed` hold, then the project's `[tool.eagerdiff]`.

        `like`, a file of `eagerdiff record`, says the arguments in place of all that: the recorded calls are made
        again in their order, and others are drawn around them.

        `check(kernel=…, reference=…)` holds a hand-written kernel, or a function that calls one, against a PyTorch
        function in place of ways of compiling. Both are given the same arguments, of which a shape may begin with
        `...`, any number of dims. `KernelOptions` are options then: `dtypes`, `layouts`, `blocks`, `supports`,
        `sums_in_float32`; `like` says the arguments here too.

        Raises ValueError, in one line, for what cannot be called so.
        """
        __tracebackhide__ = True  # of pytest: what failed is the test's
        named = {**(inputs or {}), **tensors}
        if kernel is not None:
            compiled = {"ways": ways, "dynamic": dynamic, "max_compiles": max_compiles, "fullgraph": fullgraph or None}
            if given := next((name for name, value in compiled.items() if value is not None), None):
                raise ValueError(f"{given}= is of code that is compiled, and kernel= is held against its reference")
            first = args if code is None else (code, *args)
            searched = effort(seconds, seed, workloads, LEAST_WORKLOADS)
            return check_kernel(kernel, reference, first, named, searched, gradients=bool(gradients), like=like).right
        if code is None:
            raise ValueError("nothing to check: check(f, …), or check(kernel=…, reference=…, …)")
        if reference is not None:
            raise ValueError("reference= goes with kernel=: a function is its own reference, in eager")
        plain = uncompiled(code)
        asked = Asked(gradients, fullgraph, max_compiles)
        if like is None:
            pages, said = [page_of(plain, args, named, dynamic, asked)], []
        elif args or named or dynamic is not None:
            raise ValueError("like says the arguments: leave the others out")
        else:
            pages, said = pages_like(plain, like, asked)
        chosen = ways if ways is not None else check_settings(seconds, seed).ways or DEFAULT
        return _check_pages(pages, said, plain, chosen, effort(seconds, seed, workloads)).right

    def ways(self, *names: str) -> Any:
        """Make a test of each way: `@check.ways("dynamic", "export")` above `def test_g(way): way.check(g, …)`."""
        import pytest

        return pytest.mark.parametrize("way", [Way(name) for name in names or DEFAULT], ids=str)


check = Checker()


def _check_pages(
    pages: Sequence[tuple[Page, list[str]]], said: Sequence[str], code: Any, ways: Iterable[str], effort: Effort
) -> Checked:
    """Search the pages of some code, each in its share of the time."""
    share = replace(effort, seconds=effort.seconds / len(pages))
    ways, said, found = list(ways), list(said), dict[str, Check]()
    for page, of_page in pages:
        said += of_page
        for way, check in _searched(page, code, ways, share):
            found[way] = found[way].joined(check) if way in found else check
    return Checked(pages[0][0].name, found, said)


def _searched(page: Page, code: Any, ways: Iterable[str], effort: Effort) -> list[tuple[str, Check]]:
    """Search each way; an exported program is for inference."""
    implementations = page.operator().implementations
    chosen = list(dict.fromkeys(_implementation(way, implementations) for way in ways))
    exported = [way for way in chosen if _is_export(way, implementations)]
    found: dict[str, Check] = {}
    for one, some in ((page, [way for way in chosen if way not in exported]), (page.inference(), exported)):
        if some:
            checking = Checking(freeze(one, code), one.operator(), module_of(code))
            slots = len(os.sched_getaffinity(0))
            found |= zip(some, checking.search(some, effort, slots=slots, scripts=scripts_folder()), strict=True)
    return [(way, found[way]) for way in chosen]


def _is_export(way: str, implementations: Sequence[Implementation]) -> bool:
    """Whether it makes one program ahead, which is for inference: no mode says how it treats sizes."""
    return next(one for one in implementations if one.name == way).mode is None


def _implementation(way: str, implementations: Sequence[Implementation]) -> str:
    """Return the implementation that a way stands for; raise ValueError with those that there are."""
    names = [one.name for one in implementations]
    name = SHORT.get(way, way)
    if name not in names:
        import difflib

        near = difflib.get_close_matches(way, [*SHORT, *names], n=3, cutoff=0.4)
        raise ValueError(f"no way of compiling is called {way!r}: {' or '.join(near) or ', '.join(SHORT)}")
    return name
