"""Ways of compiling any eager function: backends times modes of treating sizes that change, and a few variants."""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Generic

from eagerdiff import CaseT, Excuse, Implementation, Mode, Stage, Workload
from eagerdiff.compiled.backend import BACKENDS, Backend
from eagerdiff.compiled.caching import GraphCaches
from eagerdiff.compiled.compile_config import AS_IT_IS, CompileConfig, Dims, Function, Outputs, held
from eagerdiff.compiled.inductor_settings import Settings, drawn
from eagerdiff.compiled.variant import PLAIN, Variant
from eagerdiff.harness.internals.ahead import compiles_ahead
from eagerdiff.harness.internals.dynamo_marks import unbacked_options
from eagerdiff.harness.internals.shapes_spec import takes_shapes_spec

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

MODES = (Mode.STATIC, Mode.AUTOMATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED, Mode.BUCKETED)
"""What every backend is tried with; the other modes come with a variant, on a few."""


UNBACKED_FORMAT = "Inductor holds an output to its strides where no unbacked size is in them: torch/_inductor/graph.py"


def always(function: Function) -> Callable[[object], Function]:
    """Return what gives the same function for every case: a kernel's `build`, an eager function of a Compilable."""
    return lambda case: function


@dataclass(frozen=True, kw_only=True)
class Compilable(Generic[CaseT]):
    """Hold an eager function of a case, and what the ways of compiling it must know of it."""

    operator: str
    """Name."""
    family: str = ""
    """What stands first in the names of what is made of it, where an operator has several such functions."""
    function: Callable[[CaseT], Function]
    """Return the eager function of a case."""
    dims: "Dims | Callable[[CaseT], Dims] | None" = None
    """The dims that may change, by argument, or a function of the case; without them modes that need them are not
    supported."""
    outputs: "Outputs | Callable[[CaseT], Outputs | None] | None" = None
    """The named dims of each output, which `bucketed` cuts back to size, or a function of the case; None where
    zero-padded inputs give another result."""
    supports: Callable[[CaseT, Backend, Mode], str | None] = lambda case, backend, mode: None
    """Return None, or why a back end does not take a case in a mode."""
    supports_variant: Callable[[CaseT, Variant], str | None] = lambda case, variant: None
    """Return None, or why a variant does not take a case."""
    excuses: Callable[[Backend, Mode], Sequence[Excuse]] = lambda backend, mode: ()
    """The rules by which what a back end refuses in a mode is no finding."""
    fullgraph: Callable[[CaseT], bool] = lambda case: True
    ignored: Collection[str] = ()
    """Options that only chose the function."""
    modules: Sequence[ModuleType] = ()
    """What holds the function's source for repro scripts, its own module last; none where its own file stands alone
    without this project's names, or the operator's own source has it by `name`."""
    made: Callable[[CaseT], str] = lambda case: ""
    """Source that makes the function of what stands in `modules`; empty where it stands there itself."""
    name: str | None = None
    """What the operator's own source calls the function; None: its file goes into a script, one of ours is the
    `reference`."""
    around: Callable[[CaseT, Function, Function], Function] = lambda case, function, compiled: compiled
    """Return what is called in place of what was compiled of a function (gradients taken outside of it)."""
    around_source: "str | Callable[[CaseT], str]" = AS_IT_IS
    """The same as source, of names that `modules` define: `gradients_of({})`; or a function of the case."""
    options: Callable[[CaseT], Settings] = lambda case: {}
    """Settings that Inductor must have (`fallback_random`)."""
    random: Callable[[CaseT], bool] = lambda case: False
    """Whether the function draws random numbers."""
    standalone: Callable[[CaseT], str] | None = None
    """Return source that defines the function by its `name`, with all that it needs; None where it is no drawn code."""
    kept_settings: Callable[[CaseT], Collection[str] | None] = lambda case: None
    """Names of the drawn settings that are kept, where a failure is made smaller; None keeps all."""

    def implementations(
        self,
        *,
        backends: Sequence[Backend] = BACKENDS,
        modes: Sequence[Mode] = MODES,
        variants: Sequence[Variant] = (),
    ) -> list[Implementation[CaseT]]:
        """Return one implementation a backend and mode, named `backend.mode`, or `family.backend.mode`.

        Variants add theirs, named with a `+variant`, on those of their own backends that are among `backends`.
        """
        return [self._implementation(backend, mode, PLAIN) for backend in backends for mode in modes] + [
            self._implementation(backend, variant.mode, variant)
            for variant in variants
            for backend in variant.backends
            if backend in backends
        ]

    def _implementation(self, backend: Backend, mode: Mode, variant: Variant) -> Implementation[CaseT]:
        def build(case: CaseT) -> Function:
            config = self._config(case, backend, mode, variant)
            if variant.handover is not None:
                assert self.standalone is not None
                assert self.name is not None
                return config.hand_over(self.standalone(case), self.name, _of(self.around_source, case))
            function = self.function(case)
            if variant.caching is None:
                return config.outermost(self.around(case, function, config.compile(function)))
            caches = GraphCaches()
            return caches.around(self.around(case, function, config.compile(function, caches)))

        def source(case: CaseT) -> str:
            function = self.function(case)
            name, modules = (function.__name__, self.modules) if self.modules else held(function, self.name)
            drawn = inspect.getsource(function) if variant.rewriting or variant.spec else ""
            config, around = self._config(case, backend, mode, variant), _of(self.around_source, case)
            return config.source(name, modules, made=self.made(case), around=around, drawn=drawn)

        name = f"{self.family}.{backend.name}.{mode.name}" if self.family else f"{backend.name}.{mode.name}"
        return Implementation(
            operator=self.operator,
            name=f"{name}+{variant.name}" if variant.name else name,
            family=self.family,
            backend=backend.name,
            variant=variant.name,
            stage=backend.stage,
            build=build,
            supports=lambda case: self._unsupported(case, backend, mode, variant),
            excuses=self.excuses(backend, mode),
            devices=variant.devices or backend.devices,
            free_format=UNBACKED_FORMAT if mode.unbacked and backend.stage is Stage.INDUCTOR else "",
            mode=mode,
            at_once=variant.at_once,
            leaves=("who runs beside it",) if variant.handover else (),  # the process that others are forked of
            max_compiles=_most_compiles(variant),
            source=source,
            description=f"torch.compile, backend {backend.name}, sizes {mode.name.replace('_', ' ')}"
            + (f": {variant.why}" if variant.why else ""),
        )

    def _config(self, case: CaseT, backend: Backend, mode: Mode, variant: Variant) -> CompileConfig:
        settings, kept = drawn(backend, case.seed) if variant.drawn else {}, self.kept_settings(case)
        settings = {name: value for name, value in settings.items() if kept is None or name in kept}
        return CompileConfig(
            backend=backend,
            mode=mode,
            dims=_of(self.dims, case) or {},
            outputs=_of(self.outputs, case) or (),
            fullgraph=self.fullgraph(case),
            ignored=self.ignored,
            variant=variant,
            seed=case.seed,
            inductor={**variant.inductor, **settings, **self.options(case)},
        )

    def _unsupported(self, case: CaseT, backend: Backend, mode: Mode, variant: Variant) -> str | None:
        if mode.needs_dims and self.dims is None:
            return f"{mode.name} needs the dims that change, and the operator names none"
        if variant.wrapping and variant.wrapping.breaks and self.fullgraph(case):
            return "no graph break that could be nested"
        handed = variant.caching or variant.handover
        if handed and handed.ahead and not self.fullgraph(case):
            return "a graph break: what is compiled ahead is one graph"
        if handed and handed.ahead and not compiles_ahead():
            return "this torch.compile compiles nothing ahead of its calls"
        if variant.handover and self.standalone is None:
            return "no source that another process could run"
        if variant.at_once and self.random(case):
            return "random numbers come in no order where calls are made at once"
        if reason := self.supports(case, backend, mode) or self.supports_variant(case, variant):
            return reason
        if variant.spec and not takes_shapes_spec():
            return "this torch.compile takes no shapes_spec"
        if mode.unbacked and (lacking := sorted(set(variant.marks) - unbacked_options())):
            return f"this mark_unbacked takes no {lacking[0]}"
        if mode.padded and _of(self.outputs, case) is None:
            return "padded inputs give another result"
        return None


def _of(value: Any, case: object) -> Any:
    return value(case) if callable(value) else value


def _most_compiles(variant: Variant) -> Callable[[Workload[Any]], int] | None:
    """Return the limit of a variant that forgets what it compiled, or whose calls do not wait for what others compile.

    None leaves it to the model of its mode.
    """
    if variant.caching is None and not variant.at_once and not variant.handover:
        return None
    compiles = variant.caching.compiles if variant.caching else 2  # a call is made in two threads; a turn has two calls
    return lambda workload: compiles * len(workload.cases)
