"""One line for a function or a module: `check(f, x=("batch", "length", 64))`, under ways of compiling that matter."""

import copy
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch import nn

from eagerdiff import (
    Check,
    Checking,
    Effort,
    Finding,
    Implementation,
    Recording,
    cache_folder,
    check_settings,
    uncompiled,
)
from eagerdiff.strategies.own_code.interface import Interface
from eagerdiff.suites.own.called import Called, FunctionCall, ModuleCall
from eagerdiff.suites.own.form import Form
from eagerdiff.suites.own.frozen import freeze, module_of
from eagerdiff.suites.own.given import Given, by_position, name_of
from eagerdiff.suites.own.inference import Inference
from eagerdiff.suites.own.kernel_given import KernelOptions, called_as, kernel_page, owner_of
from eagerdiff.suites.own.kernel_page import WAY
from eagerdiff.suites.own.like import Like, likes, recorded
from eagerdiff.suites.own.page import Page
from eagerdiff.suites.own.source import standalone
from eagerdiff.suites.own.telling import told

LEAST_WORKLOADS = 12
"""Of a kernel, whatever the time: they are soon judged, and the first ones drawn are the smallest."""
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
class Checked:
    """Hold what a check did."""

    name: str
    ways: Mapping[str, Check]
    said: Sequence[str] = ()
    """What was found out of the arguments, in a line each."""

    @property
    def findings(self) -> list[Finding]:
        """What fails, way by way."""
        return [finding for check in self.ways.values() for finding in check.findings]

    def __str__(self) -> str:
        """Say it in a few lines."""
        return told(self.name, self.ways, self.said)


class CheckFailed(AssertionError):
    """Tell what a check found: each failure in a few lines, with its script."""

    def __init__(self, checked: Checked) -> None:
        super().__init__(str(checked))
        self.checked = checked


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
        `sums_in_float32`.

        Raises ValueError, in one line, for what cannot be called so.
        """
        __tracebackhide__ = True  # of pytest: what failed is the test's
        named = {**(inputs or {}), **tensors}
        if kernel is not None:
            if code is not None:
                args = (code, *args)
            return _checked_kernel(kernel, reference, args, named, bool(gradients), seconds, seed, workloads)
        if code is None:
            raise ValueError("nothing to check: check(f, …), or check(kernel=…, reference=…, …)")
        if reference is not None:
            raise ValueError("reference= goes with kernel=: a function is its own reference, in eager")
        plain = uncompiled(code)
        asked = _Asked(gradients, fullgraph, max_compiles)
        if like is None:
            pages, said = [page_of(plain, args, named, dynamic, asked)], []
        elif args or named or dynamic is not None:
            raise ValueError("like says the arguments: leave the others out")
        else:
            pages, said = pages_like(plain, like, asked)
        settings = check_settings(seconds, seed)
        effort = replace(
            settings.effort,
            seconds=settings.effort.seconds / len(pages),
            workloads=_at_least(workloads, Effort.workloads),
        )
        found: dict[str, Check] = {}
        for page, of_page in pages:
            said += of_page
            for way, check in _searched(page, plain, ways if ways is not None else settings.ways or DEFAULT, effort):
                found[way] = found[way].joined(check) if way in found else check
        checked = Checked(pages[0][0].name, found, said)
        if checked.findings or any(one.broken for one in found.values()):
            raise CheckFailed(checked)
        return checked

    def ways(self, *names: str) -> Any:
        """Make a test of each way: `@check.ways("dynamic", "export")` above `def test_g(way): way.check(g, …)`."""
        import pytest

        return pytest.mark.parametrize("way", [Way(name) for name in names or DEFAULT], ids=str)


check = Checker()


def _checked_kernel(
    kernel: Callable[..., Any],
    reference: Callable[..., Any] | None,
    args: Sequence[Any],
    named: Mapping[str, Any],
    gradients: bool,
    seconds: float | None,
    seed: int | None,
    workloads: int | None,
) -> Checked:
    """Hold a kernel against its reference; raise CheckFailed where it fails."""
    __tracebackhide__ = True
    if reference is None:
        raise ValueError("kernel= needs reference=, the PyTorch function that says what it means")
    options, named = KernelOptions.taken_from(named)
    given = Given.read(called_as(kernel, reference, named), args, named, None)
    page, said = kernel_page(kernel, reference, given.arguments, given.ranges, given.form, options, gradients=gradients)
    owner = owner_of(kernel)
    checking = Checking(freeze(page, owner), page.operator(), module_of(owner))
    least = _at_least(workloads, LEAST_WORKLOADS)
    effort = replace(check_settings(seconds, seed).effort, workloads=least)
    found = checking.search([WAY], effort, slots=1, scripts=scripts_folder())
    checked = Checked(page.name, {WAY: found[0]}, said)
    if checked.findings or found[0].broken:
        raise CheckFailed(checked)
    return checked


def _at_least(workloads: int | None, usual: int) -> int:
    """Return the fewest workloads that are judged; raise ValueError for more than a batch has."""
    if workloads is not None and not 1 <= workloads <= Effort.examples:
        raise ValueError(f"workloads={workloads}: from 1 to {Effort.examples} can be asked for, whatever the time")
    return usual if workloads is None else workloads


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


def scripts_folder() -> Path:
    """Return where scripts of findings go: into `.eagerdiff` of the folder that is worked in, else the cache."""
    folder = Path.cwd() / ".eagerdiff"
    return folder if os.access(Path.cwd(), os.W_OK) else cache_folder() / "findings"


@dataclass(frozen=True)
class _Asked:
    """Hold what a page is asked for besides arguments."""

    gradients: bool | None = None
    fullgraph: bool = False
    max_compiles: int | None = None


def page_of(
    code: Callable[..., Any],
    args: Sequence[Any],
    named: Mapping[str, Any],
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
    asked: _Asked = _Asked(),
) -> tuple[Page, list[str]]:
    """Return the page of some code, and what was found out of it; raise ValueError in one line."""
    given = Given.read(code, args, named, dynamic)
    called = _called(code, given.form, asked.gradients)
    inference = Inference(called, given.arguments, dict(given.ranges))
    return _page(code, called, inference, inference.run(), asked), inference.said


def pages_like(
    code: Callable[..., Any], like: str | Path | Recording, asked: _Asked = _Asked()
) -> tuple[list[tuple[Page, list[str]]], list[str]]:
    """Return a page, and what was found out, for each kind of recorded calls of some code, and what is left out.

    Raises ValueError in one line.
    """
    kinds, said = likes(recorded(like, code))
    return [_page_like(code, kind, asked) for kind in kinds], said


def _page_like(code: Any, like: Like, asked: _Asked) -> tuple[Page, list[str]]:
    if isinstance(code, nn.Module):
        code = copy.deepcopy(code).train(like.training)
    given = Given.read(code, *by_position(code, like.arguments), None)
    called = _called(code, given.form, like.gradients if asked.gradients is None else asked.gradients)
    inference = Inference(called, given.arguments, dict(like.ranges), like.seen)
    interface = like.met(inference.run())
    page = _page(code, called, inference, interface, asked)
    workloads = like.workloads(interface)
    return replace(page, first=workloads), [*like.said, *inference.said]


def _page(code: Any, called: Called, inference: Inference, interface: Interface, asked: _Asked) -> Page:
    return Page(
        name=name_of(code),
        called=called,
        interface=interface if asked.max_compiles is None else replace(interface, layouts=False),
        fullgraph=asked.fullgraph,
        random=not inference.repeats(),
        changes_state=inference.changes_state(),
        max_compiles=asked.max_compiles,
        source=standalone(code, called),
    )


def _called(code: Callable[..., Any], form: Form, gradients: bool | None) -> Called:
    if isinstance(code, nn.Module):
        return ModuleCall(code, form, code.training if gradients is None else gradients)
    return FunctionCall(code, form, bool(gradients))


def _implementation(way: str, implementations: Sequence[Implementation]) -> str:
    """Return the implementation that a way stands for; raise ValueError with those that there are."""
    names = [one.name for one in implementations]
    name = SHORT.get(way, way)
    if name not in names:
        import difflib

        near = difflib.get_close_matches(way, [*SHORT, *names], n=3, cutoff=0.4)
        raise ValueError(f"no way of compiling is called {way!r}: {' or '.join(near) or ', '.join(SHORT)}")
    return name
