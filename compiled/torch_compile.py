"""Ways of compiling any eager function: backends times modes of treating sizes that change, and a few variants."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from eagerdiff import Implementation, Mode
from eagerdiff.compiled.compile_config import AS_IT_IS, STAGES, CompileConfig, Dims, Function, Outputs
from eagerdiff.compiled.inductor_settings import Settings, drawn
from eagerdiff.compiled.variant import PLAIN, Variant

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""

BACKENDS: Mapping[str, tuple[str, ...]] = {
    "dynamo": ("cpu", "cuda"),
    "aot_eager": ("cpu", "cuda"),
    "aot_decomp": ("cpu", "cuda"),
    "inductor": ("cpu", "cuda"),
    "inductor_triton": ("interpreted",),
}
"""Devices by backend: Dynamo alone, with AOTAutograd, with Inductor's decompositions too, Inductor, and Inductor's GPU
code on the interpreter."""
MODES = (Mode.STATIC, Mode.AUTOMATIC, Mode.DYNAMIC, Mode.MARK_DYNAMIC, Mode.UNBACKED, Mode.BUCKETED)
"""What every backend is tried with; the other modes come with a variant, on a few."""

_DIMS_NEEDED = (Mode.MARK_DYNAMIC, Mode.UNBACKED, Mode.BUCKETED)


def always(function: Function) -> Callable[[Any], Function]:
    """Return what gives the same function for every case: a kernel's `build`, an eager function of a Compilable."""
    return lambda case: function


@dataclass(frozen=True, kw_only=True)
class Compilable:
    """Hold an eager function of a case, and what the ways of compiling it must know of it."""

    operator: str
    """Name."""
    family: str = ""
    """What stands first in the names of what is made of it, where an operator has several such functions."""
    function: Callable[[Any], Function]
    """Return the eager function of a case."""
    dims: "Dims | Callable[[Any], Dims] | None" = None
    """The dims that may change, by argument, or a function of the case; without them modes that need them are not
    supported."""
    outputs: "Outputs | Callable[[Any], Outputs | None] | None" = None
    """The named dims of each output, which `bucketed` cuts back to size, or a function of the case; None where
    zero-padded inputs give another result."""
    supports: Callable[[Any, str, Mode], str | None] = lambda case, backend, mode: None
    """Return None, or why a back end does not take a case in a mode."""
    supports_variant: Callable[[Any, Variant], str | None] = lambda case, variant: None
    """Return None, or why a variant does not take a case."""
    fullgraph: Callable[[Any], bool] = lambda case: True
    ignored: Collection[str] = ()
    """Options that only chose the function."""
    modules: Sequence[ModuleType] = ()
    """What holds the function's source for repro scripts, its own module last; none where it is the reference, or what
    the operator's own source calls `name`."""
    made: Callable[[Any], str] = lambda case: ""
    """Source that makes the function of what stands in `modules`; empty where it stands there itself."""
    name: str = "reference"
    around: Callable[[Any, Function], Function] = lambda case, compiled: compiled
    """Return what is called in place of what was compiled (gradients taken outside of it)."""
    around_source: str = AS_IT_IS
    """The same as source, of names that `modules` define: `gradients_of({})`."""
    options: Callable[[Any], Settings] = lambda case: {}
    """Settings that Inductor must have (`fallback_random`)."""
    kept_settings: Callable[[Any], Collection[str] | None] = lambda case: None
    """Names of the drawn settings that are kept, where a failure is made smaller; None keeps all."""

    def implementations(
        self,
        *,
        backends: Sequence[str] = tuple(BACKENDS),
        modes: Sequence[Mode] = MODES,
        variants: Sequence[Variant] = (),
    ) -> list[Implementation]:
        """Return one implementation a backend and mode, named `backend.mode`, or `family.backend.mode`.

        Variants add theirs, named with a `+variant`, on those of their own backends that are among `backends`.
        Raises ValueError for a backend that is not there.
        """
        unknown = set(backends) - set(BACKENDS)
        if unknown:
            raise ValueError(f"no backend {', '.join(sorted(unknown))}: use {', '.join(BACKENDS)}")
        return [self._implementation(backend, mode, PLAIN) for backend in backends for mode in modes] + [
            self._implementation(backend, variant.mode, variant)
            for variant in variants
            for backend in variant.backends
            if backend in backends
        ]

    def _implementation(self, backend: str, mode: Mode, variant: Variant) -> Implementation:
        def build(case: Any) -> Function:
            return self.around(case, self._config(case, backend, mode, variant).compile(self.function(case)))

        def source(case: Any) -> str:
            name = self.function(case).__name__ if self.modules else self.name
            config = self._config(case, backend, mode, variant)
            return config.source(name, self.modules, made=self.made(case), around=self.around_source)

        name = f"{self.family}.{backend}.{mode.value}" if self.family else f"{backend}.{mode.value}"
        return Implementation(
            operator=self.operator,
            name=f"{name}+{variant.name}" if variant.name else name,
            family=self.family,
            backend=backend,
            variant=variant.name,
            stage=STAGES[backend],
            build=build,
            supports=lambda case: self._unsupported(case, backend, mode, variant),
            devices=variant.devices or BACKENDS[backend],
            mode=mode,
            source=source,
            description=f"torch.compile, backend {backend}, sizes {mode.value.replace('_', ' ')}"
            + (f": {variant.why}" if variant.why else ""),
        )

    def _config(self, case: Any, backend: str, mode: Mode, variant: Variant) -> CompileConfig:
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
            inductor={**variant.inductor, **settings, **self.options(case)},
        )

    def _unsupported(self, case: Any, backend: str, mode: Mode, variant: Variant) -> str | None:
        if mode in _DIMS_NEEDED and self.dims is None:
            return f"{mode.value} needs the dims that change, and the operator names none"
        if variant.wrapping == "nested" and self.fullgraph(case):
            return "no graph break that could be nested"
        if reason := self.supports(case, backend, mode) or self.supports_variant(case, variant):
            return reason
        if mode is Mode.BUCKETED and _of(self.outputs, case) is None:
            return "padded inputs give another result"
        return None


def _of(value: Any, case: Any) -> Any:
    return value(case) if callable(value) else value
