"""Ways of compiling any eager function: backends times modes of treating sizes that change, and a few variants."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import Any

from compiled.inductor_settings import Settings, drawn
from compiled.variant import PLAIN, Variant
from compiled.way import Dims, Function, Outputs, Way
from harness import Implementation, Mode

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


def ways(
    operator: str,
    function: Callable[[Any], Function],
    *,
    backends: Sequence[str] = tuple(BACKENDS),
    modes: Sequence[Mode] = MODES,
    variants: Sequence[Variant] = (),
    dims: Dims | Callable[[Any], Dims] | None = None,
    outputs: Outputs | Callable[[Any], Outputs | None] | None = None,
    supports: Callable[[Any, str, Mode], str | None] = lambda case, backend, mode: None,
    supports_variant: Callable[[Any, Variant], str | None] = lambda case, variant: None,
    fullgraph: Callable[[Any], bool] = lambda case: True,
    ignored: Collection[str] = (),
    modules: Sequence[ModuleType] = (),
    name: str = "",
    around: Callable[[Any, Function], Function] = lambda case, compiled: compiled,
    options: Callable[[Any], Settings] = lambda case: {},
    kept_settings: Callable[[Any], Collection[str] | None] = lambda case: None,
) -> list[Implementation]:
    """Return one implementation a backend and mode, named `backend.mode`, of an eager function of a case.

    Variants add theirs, named `backend.mode+variant`, on those of their own backends that are among `backends`.
    `function(case)` returns the eager function. `dims` are the dims that may change, by argument, or a function
    of the case; without them the modes that need them are not supported. `outputs` are the named dims of each output,
    which `bucketed` cuts back to size, or a function of the case; None where zero-padded inputs give another result.
    `supports(case, backend, mode)` and `supports_variant(case, variant)` return None or a reason. `ignored` are options
    that only chose the function.
    `modules` hold the function's source for repro scripts, its own module last; none where it is the reference,
    or what the operator's own source calls `name`. `around(case, compiled)` is what is called in place of what was
    compiled (gradients taken outside of it). `options(case)` are settings that Inductor must have (`fallback_random`).
    `kept_settings(case)` names the drawn settings that are kept, where a failure is made smaller; None keeps all.
    Raises ValueError for a backend that is not there.
    """
    unknown = set(backends) - set(BACKENDS)
    if unknown:
        raise ValueError(f"no backend {', '.join(sorted(unknown))}: use {', '.join(BACKENDS)}")

    def implementation(backend: str, mode: Mode, variant: Variant = PLAIN) -> Implementation:
        def settings(case: Any) -> Settings:
            found = drawn(backend, case.seed) if variant.drawn else {}
            kept = kept_settings(case)
            return {name: value for name, value in found.items() if kept is None or name in kept}

        def way(case: Any) -> Way:
            return Way(
                backend=backend,
                mode=mode,
                dims=_of(dims, case) or {},
                outputs=_of(outputs, case) or (),
                fullgraph=fullgraph(case),
                ignored=ignored,
                variant=variant,
                inductor={**variant.inductor, **settings(case), **options(case)},
            )

        def unsupported(case: Any) -> str | None:
            if mode in _DIMS_NEEDED and dims is None:
                return f"{mode.value} needs the dims that change, and the operator names none"
            if variant.wrapping == "nested" and fullgraph(case):
                return "no graph break that could be nested"
            return (
                supports(case, backend, mode)
                or supports_variant(case, variant)
                or (
                    "padded inputs give another result"
                    if mode is Mode.BUCKETED and _of(outputs, case) is None
                    else None
                )
            )

        return Implementation(
            operator=operator,
            name=f"{backend}.{mode.value}" + (f"+{variant.name}" if variant.name else ""),
            build=lambda case: around(case, way(case).compile(function(case))),
            supports=unsupported,
            devices=variant.devices or BACKENDS[backend],
            mode=mode,
            source=lambda case: way(case).source(function(case).__name__ if modules else name or "reference", modules),
            description=f"torch.compile, backend {backend}, sizes {mode.value.replace('_', ' ')}"
            + (f": {variant.why}" if variant.why else ""),
        )

    return [implementation(backend, mode) for backend in backends for mode in modes] + [
        implementation(backend, variant.mode, variant)
        for variant in variants
        for backend in variant.backends
        if backend in backends
    ]


def _of(value: Any, case: Any) -> Any:
    return value(case) if callable(value) else value
