"""One line for a function or a module: `check(f, x=("batch", "length", 64))`, under ways of compiling that matter."""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from hypothesis.strategies import SearchStrategy
from torch import Tensor, nn

from eagerdiff import Check, Checking, Finding, Implementation, cache_folder, check_settings
from eagerdiff.strategies.own_code.argument import (
    Always,
    Argument,
    Drawn,
    MadeBy,
    Making,
    SizeItself,
    SizeRange,
    TensorOf,
    tensor,
)
from eagerdiff.suites.own import annotations
from eagerdiff.suites.own.called import Called, FunctionCall, ModuleCall
from eagerdiff.suites.own.examples import described
from eagerdiff.suites.own.form import AS_THEY_COME, Form, spread
from eagerdiff.suites.own.frozen import freeze, module_of
from eagerdiff.suites.own.inference import Inference
from eagerdiff.suites.own.kernel_given import KernelOptions, called_as, kernel_page, owner_of
from eagerdiff.suites.own.kernel_page import WAY
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
        is the time of each way's search, after at least one workload; equal seeds search alike. Where they are left
        out, pytest's `--eagerdiff-budget` and `--eagerdiff-seed` hold, then the project's `[tool.eagerdiff]`.

        `check(kernel=…, reference=…)` holds a hand-written kernel, or a function that calls one, against a PyTorch
        function in place of ways of compiling. Both are given the same arguments, of which a shape may begin with
        `...`, any number of dims. `KernelOptions` are options then: `dtypes`, `layouts`, `blocks`, `supports`,
        `sums_in_float32`.

        Raises ValueError, in one line, for what cannot be called so.
        """
        __tracebackhide__ = True  # of pytest: what failed is the test's
        if kernel is not None:
            if code is not None:
                args = (code, *args)
            named = {**(inputs or {}), **tensors}
            return _checked_kernel(kernel, reference, args, named, bool(gradients), seconds, seed)
        if code is None:
            raise ValueError("nothing to check: check(f, …), or check(kernel=…, reference=…, …)")
        if reference is not None:
            raise ValueError("reference= goes with kernel=: a function is its own reference, in eager")
        page, said = page_of(
            code,
            args,
            {**(inputs or {}), **tensors},
            dynamic,
            gradients=gradients,
            fullgraph=fullgraph,
            max_compiles=max_compiles,
        )
        operator, settings = page.operator(), check_settings(seconds, seed)
        named = ways if ways is not None else settings.ways or DEFAULT
        chosen = list(dict.fromkeys(_implementation(way, operator.implementations) for way in named))
        exported = [way for way in chosen if _is_export(way, operator.implementations)]
        found: dict[str, Check] = {}
        for one, some in ((page, [way for way in chosen if way not in exported]), (page.inference(), exported)):
            if some:
                checking = Checking(freeze(one, code), one.operator(), module_of(code))
                slots = len(os.sched_getaffinity(0))
                searched = checking.search(some, settings.effort, slots=slots, scripts=scripts_folder())
                found |= zip(some, searched, strict=True)
        checked = Checked(page.name, {way: found[way] for way in chosen}, said)
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
) -> Checked:
    """Hold a kernel against its reference; raise CheckFailed where it fails."""
    __tracebackhide__ = True
    if reference is None:
        raise ValueError("kernel= needs reference=, the PyTorch function that says what it means")
    options, named = KernelOptions.taken_from(named)
    given = _Given.read(called_as(kernel, reference, named), args, named, None)
    page, said = kernel_page(kernel, reference, given.arguments, given.ranges, given.form, options, gradients=gradients)
    owner = owner_of(kernel)
    checking = Checking(freeze(page, owner), page.operator(), module_of(owner))
    settings = check_settings(seconds, seed)
    effort = replace(settings.effort, workloads=LEAST_WORKLOADS)
    found = checking.search([WAY], effort, slots=1, scripts=scripts_folder())
    checked = Checked(page.name, {WAY: found[0]}, said)
    if checked.findings or found[0].broken:
        raise CheckFailed(checked)
    return checked


def _is_export(way: str, implementations: Sequence[Implementation]) -> bool:
    """Whether it makes one program ahead, which is for inference: no mode says how it treats sizes."""
    return next(one for one in implementations if one.name == way).mode is None


def scripts_folder() -> Path:
    """Return where scripts of findings go: into `.eagerdiff` of the folder that is worked in, else the cache."""
    folder = Path.cwd() / ".eagerdiff"
    return folder if os.access(Path.cwd(), os.W_OK) else cache_folder() / "findings"


def page_of(
    code: Callable[..., Any],
    args: Sequence[Any],
    named: Mapping[str, Any],
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
    *,
    gradients: bool | None = None,
    fullgraph: bool = False,
    max_compiles: int | None = None,
) -> tuple[Page, list[str]]:
    """Return the page of some code, and what was found out of it; raise ValueError in one line."""
    given = _Given.read(code, args, named, dynamic)
    called = _called(code, given.form, gradients)
    inference = Inference(called, given.arguments, dict(given.ranges))
    interface = inference.run()
    page = Page(
        name=_name(code),
        called=called,
        interface=interface if max_compiles is None else replace(interface, layouts=False),
        fullgraph=fullgraph,
        random=not inference.repeats(),
        changes_state=inference.changes_state(),
        max_compiles=max_compiles,
        source=standalone(code, called),
    )
    return page, inference.said


def _called(code: Callable[..., Any], form: Form, gradients: bool | None) -> Called:
    if isinstance(code, nn.Module):
        return ModuleCall(code, form, code.training if gradients is None else gradients)
    return FunctionCall(code, form, bool(gradients))


@dataclass
class _Given:
    """Read what a user says of the arguments."""

    arguments: dict[str, Argument] = field(default_factory=dict[str, Argument])
    form: Form = AS_THEY_COME
    ranges: dict[str, SizeRange] = field(default_factory=dict[str, SizeRange])

    @classmethod
    def read(
        cls,
        code: Callable[..., Any],
        args: Sequence[Any],
        named: Mapping[str, Any],
        dynamic: Mapping[str, Mapping[int, str]] | None,
    ) -> "_Given":
        """Bind arguments to parameters; raise ValueError in one line for what does not fit."""
        found = cls()
        target = code.forward if isinstance(code, nn.Module) else code
        try:
            signature = inspect.signature(target)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{_name(code)} has no signature that Python knows: wrap it in a function") from error
        found.ranges = {name: value for name, value in named.items() if isinstance(value, SizeRange)}
        rest = {name: value for name, value in named.items() if name not in found.ranges}
        rest = {**_described(code, signature, args, rest), **rest}
        try:
            bound = signature.bind(*args, **rest)
        except TypeError as error:
            raise ValueError(f"{_name(code)}{signature} cannot be called so: {error}") from None
        values, found.form = spread(*_flat(bound, signature), _is_value)
        sizes = {size for value in values.values() for size in _names(value)} | set(found.ranges)
        for name, value in values.items():
            found.arguments[name] = _argument(name, value, sizes, dynamic)
        if dynamic is not None and (unknown := sorted(set(dynamic) - set(values))):
            raise ValueError(f"dynamic names {unknown[0]!r}, which is no argument: there is {', '.join(values)}")
        return found


def _described(
    code: Callable[..., Any], signature: inspect.Signature, args: Sequence[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what annotations and the docstring say of parameters that nobody gives and that have no default."""
    given = {*list(signature.parameters)[: len(args)], *named}
    told = annotations.described(code)
    return {
        name: told[name]
        for name, one in signature.parameters.items()
        if name in told and name not in given and one.default is one.empty
    }


def _flat(bound: inspect.BoundArguments, signature: inspect.Signature) -> tuple[dict[str, Any], list[str]]:
    """Return arguments by name, those of `*args` numbered; and which of them, the last ones, are given by name."""
    positional: dict[str, Any] = {}
    keyword: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            positional |= {f"{name}_{at}": item for at, item in enumerate(value)}
        elif kind is inspect.Parameter.VAR_KEYWORD:
            keyword |= value
        elif kind is inspect.Parameter.KEYWORD_ONLY or _skipped(name, bound, signature):
            keyword[name] = value
        else:
            positional[name] = value
    return positional | keyword, list(keyword)


def _skipped(name: str, bound: inspect.BoundArguments, signature: inspect.Signature) -> bool:
    """Whether a parameter before it was left to its default: then it can only be given by keyword."""
    before = list(signature.parameters)[: list(signature.parameters).index(name)]
    return any(one not in bound.arguments for one in before)


def _names(value: Any) -> set[str]:
    if isinstance(value, TensorOf):
        return value.names
    return {part for part in value if isinstance(part, str)} if _is_shape(value) else set()


def _is_value(value: Any) -> bool:
    """Whether something is an argument by itself, wherever it stands: what holds some is taken apart."""
    return isinstance(value, Tensor | TensorOf | SearchStrategy) or _is_shape(value)


def _is_shape(value: Any) -> bool:
    """Whether a tuple is a tensor's sizes: one that has a name; a tuple of numbers alone is a constant."""
    return (
        isinstance(value, tuple)
        and any(isinstance(part, str) or part is ... for part in value)
        and all((isinstance(part, int | str) and not isinstance(part, bool)) or part is ... for part in value)
    )


def _argument(name: str, value: Any, sizes: set[str], dynamic: Mapping[str, Mapping[int, str]] | None) -> Argument:
    if isinstance(value, TensorOf):
        return value
    if _is_shape(value):
        try:
            return tensor(*value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    if isinstance(value, Tensor):
        if dynamic is None:
            return Always(value)
        named = dynamic.get(name, {})
        if wrong := [dim for dim in named if not -value.dim() <= dim < value.dim()]:
            raise ValueError(f"dynamic: {name} has {value.dim()} dims, and no dim {wrong[0]}")
        places = {dim % value.dim(): size for dim, size in named.items()}
        return described(value, tuple(places.get(dim, size) for dim, size in enumerate(value.shape)))
    if isinstance(value, str) and value in sizes:
        return SizeItself(value)
    if isinstance(value, SearchStrategy):
        return Drawn(value)
    if callable(value) and not isinstance(value, type | nn.Module):
        return MadeBy(cast("Making", value))
    return Always(value)


def _implementation(way: str, implementations: Sequence[Implementation]) -> str:
    """Return the implementation that a way stands for; raise ValueError with those that there are."""
    names = [one.name for one in implementations]
    name = SHORT.get(way, way)
    if name not in names:
        import difflib

        near = difflib.get_close_matches(way, [*SHORT, *names], n=3, cutoff=0.4)
        raise ValueError(f"no way of compiling is called {way!r}: {' or '.join(near) or ', '.join(SHORT)}")
    return name


def _name(code: Any) -> str:
    text = getattr(code, "__name__", None) or type(code).__name__
    return re.sub(r"[^A-Za-z0-9_.+-]", "_", str(text)).strip("_.+-") or "checked"
