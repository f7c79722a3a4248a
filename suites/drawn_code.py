"""What pages of drawn code share: gradients taken outside what is compiled, as training does, and limits."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

import torch
from torch.utils import _pytree as pytree

from eagerdiff import Excuse, Implementation, Inputs, Mode, Workload, expected_compiles, signature
from eagerdiff.compiled.backend import Backend
from eagerdiff.compiled.compile_config import AS_IT_IS
from eagerdiff.compiled.declared import Declared
from eagerdiff.compiled.dynamic_shapes import Formulas, Shapes
from eagerdiff.compiled.export_path import DRAWN_PATHS, ExportPath
from eagerdiff.compiled.inductor_settings import simpler as fewer_settings
from eagerdiff.compiled.torch_compile import MODES, Compilable
from eagerdiff.compiled.torch_export import exports
from eagerdiff.compiled.variant import (
    BROKEN,
    KEPT_BY_PYTHON,
    KEPT_OR_AT_ONCE,
    LAZY_MODULE,
    OF_DRAWN_CODE,
    RELOADED,
    Variant,
)
from eagerdiff.reference.programs import differentiated, function_of, programs
from eagerdiff.reference.ties import DIM
from eagerdiff.strategies.programs.rendering import IMPORTS
from eagerdiff.strategies.programs.sized_case import SizedCaseT

IGNORED = ("source", "gradients", "random", "choices")
"""Options of the reference that compiled code does not take."""
MOST_INTERPRETED = 1024
"""Elements of one tensor on the interpreter: a reduction launches a program for every row or two."""
DIVIDED = {variant.name for variant in (*BROKEN, *RELOADED, *KEPT_BY_PYTHON, LAZY_MODULE)}
"""Variants whose code is called with more, or with less, than a call's arguments."""
UNPADDED = tuple(mode for mode in MODES if not mode.padded)
"""Padding changes what most code gives: buckets are tested by `symbolic`."""


@dataclass(frozen=True, kw_only=True)
class DrawnCode(Generic[SizedCaseT]):
    """Say what the code of a case is, and whether gradients of its outputs' sum are taken."""

    source: Callable[[SizedCaseT], str]
    """Source of a function called `program`."""
    taken: Callable[[SizedCaseT], bool]
    random: Callable[[SizedCaseT], bool]
    """Whether it draws random numbers."""
    module: Callable[[SizedCaseT], str] = lambda case: ""
    """Name of the class of `torch.nn` whose call is all of the code; empty where there is more, or no such call."""

    def function(self, case: SizedCaseT) -> Callable[..., Any]:
        """Return the eager function of a case."""
        return function_of(self.source(case))

    def compiled(
        self,
        operator: str,
        variants: Sequence[Variant],
        *,
        dims: Callable[[SizedCaseT], Formulas],
        excuses: Callable[[Backend, Mode], Sequence[Excuse]],
        fullgraph: Callable[[SizedCaseT], bool] = lambda case: True,
    ) -> list[Implementation[SizedCaseT]]:
        """Return one implementation a way of `torch.compile`; the arguments are `Compilable`'s."""
        compilable = Compilable(
            operator=operator,
            function=self.function,
            dims=dims,
            excuses=excuses,
            fullgraph=fullgraph,
            ignored=IGNORED,
            name="program",
            around=self.around,
            around_source=lambda case: "differentiated({})" if self.taken(case) else AS_IT_IS,
            supports_variant=self.unsupported,
            options=lambda case: {"fallback_random": True} if self.random(case) else {},
            random=self.random,
            standalone=self.standalone,
            kept_settings=lambda case: case.settings,
        )
        return compilable.implementations(modes=UNPADDED, variants=(*variants, *KEPT_OR_AT_ONCE, *OF_DRAWN_CODE))

    def unsupported(self, case: SizedCaseT, variant: Variant) -> str | None:
        """Return why a variant does not take a case, or None."""
        if variant.compiled_autograd and not self.taken(case):
            return "no gradients are taken"
        if variant.rewriting is not None and variant.rewriting.stateful and self.taken(case):
            return "a state that is loaded has no gradient by an argument"
        if variant.rewriting is not None and variant.rewriting.lazy:
            name = self.module(case).removeprefix("Lazy")
            if not name or not hasattr(torch.nn, f"Lazy{name}"):
                return "no module that has a lazy counterpart"
        return None

    def exported(
        self,
        operator: str,
        *,
        declared: Declared[SizedCaseT],
        example: Callable[[SizedCaseT], Inputs],
        excuses: Callable[[ExportPath, Shapes], Sequence[Excuse]],
        paths: Sequence[ExportPath] = DRAWN_PATHS,
        supports: Callable[[SizedCaseT, ExportPath, Shapes], str | None] = lambda case, path, shapes: None,
    ) -> list[Implementation[SizedCaseT]]:
        """Return one implementation a way of exporting; the arguments are those of `exports`."""
        found = exports(
            operator,
            self.function,
            declared=declared,
            example=example,
            paths=paths,
            supports=supports,
            excuses=excuses,
            ignored=IGNORED,
            name="program",
            around=self.around,
        )
        return list(map(self.in_scripts, found))

    def around(
        self, case: SizedCaseT, function: Callable[..., Any], compiled: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Return what calls compiled code: the code itself, or what takes gradients through it."""
        if not self.taken(case):
            return compiled

        def with_gradients(*args: Any, **_: Any) -> Any:
            return differentiated(compiled)(*args)

        return with_gradients

    def in_scripts(self, implementation: Implementation[SizedCaseT]) -> Implementation[SizedCaseT]:
        """Take gradients in an implementation's scripts too."""

        def text(case: SizedCaseT) -> str:
            assert implementation.source is not None
            compiled = implementation.source(case)
            return f"{compiled}\nimplementation = differentiated(implementation)\n" if self.taken(case) else compiled

        return replace(implementation, source=text)

    def standalone(self, case: SizedCaseT) -> str:
        """Return standalone source that defines a case's code as `reference`, and gradients where they are taken."""
        text = f"{IMPORTS}\n\n{self.source(case)}"
        if not self.taken(case):
            return f"{text}\nreference = program\n"
        wrapper = inspect.getsource(differentiated)
        return f"{text}\nfrom torch import Tensor\n\n{wrapper}\nreference = differentiated(program)\n"

    def listing(self, case: SizedCaseT) -> str:
        """Return a case's code, and whether its gradients are taken."""
        return self.source(case) + ("# and the gradients of its outputs' sum\n" if self.taken(case) else "")


def plainer(workload: Workload[SizedCaseT]) -> Iterator[Workload[SizedCaseT]]:
    """Return the same code with fewer settings of the compiler, then with the usual example."""
    yield from fewer_settings(workload)
    if workload.cases[0].example:
        yield Workload(tuple(case.model_copy(update={"example": 0}) for case in workload.cases))


def break_ties(given: Inputs, output: Any) -> Inputs | None:
    """Let the reference take the equal elements whose indices an output holds; None where it holds none."""
    leaves = pytree.tree_leaves(output)
    choices = tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.dtype is torch.int64)
    chooses = any(f"{name}(" in given.options["source"] for name in DIM)
    return replace(given, options={**given.options, "choices": choices}) if chooses and choices else None


def pieces(mode: Mode, calls: Sequence[Inputs]) -> int:
    """Bound the compiles of code in pieces, at one of which a call's arguments are not all that there is.

    Pieces take sizes that were computed before them, which may happen to equal each other or the arguments', and a
    module's state has static sizes: once for each distinct signature.
    """
    signatures = list(map(signature, calls))
    return max(expected_compiles(one, signatures).high for one in (mode.after_break, Mode.STATIC))


def magnitude(*args: Any, **options: Any) -> tuple[Any, ...] | None:
    """Return the scale of the terms of each gradient: of the largest gradient, and of the ones that are passed back.

    A gradient of exactly 0 is often a difference of equal terms (`cosine_similarity(x, x)`). Other outputs: None.
    """
    if not options["gradients"]:
        return None
    found = programs(*args, **options)
    count = sum(isinstance(arg, torch.Tensor) and arg.is_floating_point() for arg in args)
    gradients = [item for item in found[len(found) - count :] if item is not None]
    largest = max((float(item.abs().nan_to_num(0, 0, 0).max()) for item in gradients if item.numel()), default=0.0)
    scale = max(1.0, largest)
    return tuple(
        None if at < len(found) - count or item is None else item.abs() + scale for at, item in enumerate(found)
    )
