"""Ways of compiling any eager function: backends times modes of treating sizes that change."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import Any

from compiled.way import Dims, Function, Outputs, Way
from harness import Implementation, Mode

BACKENDS: Mapping[str, tuple[str, ...]] = {
    "dynamo": ("cpu", "cuda"),
    "aot_eager": ("cpu", "cuda"),
    "inductor": ("cpu", "cuda"),
    "inductor_triton": ("interpreted",),
}
"""Devices by backend: Dynamo alone, with AOTAutograd, Inductor, and Inductor's GPU code on the interpreter."""

_DIMS_NEEDED = (Mode.MARK_DYNAMIC, Mode.UNBACKED, Mode.BUCKETED)


def ways(
    operator: str,
    function: Callable[[Any], Function],
    *,
    backends: Sequence[str] = tuple(BACKENDS),
    modes: Sequence[Mode] = tuple(Mode),
    dims: Dims | Callable[[Any], Dims] | None = None,
    outputs: Outputs | Callable[[Any], Outputs | None] | None = None,
    supports: Callable[[Any, str, Mode], str | None] = lambda case, backend, mode: None,
    fullgraph: Callable[[Any], bool] = lambda case: True,
    ignored: Collection[str] = (),
    modules: Sequence[ModuleType] = (),
    name: str = "",
    around: Callable[[Any, Function], Function] = lambda case, compiled: compiled,
) -> list[Implementation]:
    """Return one implementation a backend and mode, named `backend.mode`, of an eager function of a case.

    `function(case)` returns the eager function. `dims` are the dims that may change, by argument, or a function
    of the case; without them the modes that need them are not supported. `outputs` are the named dims of each output,
    which `bucketed` cuts back to size, or a function of the case; None where zero-padded inputs give another result.
    `supports(case, backend, mode)` returns None or a reason. `ignored` are options that only chose the function.
    `modules` hold the function's source for repro scripts, its own module last; none where it is the reference,
    or what the operator's own source calls `name`. `around(case, compiled)` is what is called in place of what was
    compiled (gradients taken outside of it).
    Raises ValueError for a backend that is not there.
    """
    unknown = set(backends) - set(BACKENDS)
    if unknown:
        raise ValueError(f"no backend {', '.join(sorted(unknown))}: use {', '.join(BACKENDS)}")

    def implementation(backend: str, mode: Mode) -> Implementation:
        def way(case: Any) -> Way:
            return Way(
                backend=backend,
                mode=mode,
                dims=_of(dims, case) or {},
                outputs=_of(outputs, case) or (),
                fullgraph=fullgraph(case),
                ignored=ignored,
            )

        def unsupported(case: Any) -> str | None:
            if mode in _DIMS_NEEDED and dims is None:
                return f"{mode.value} needs the dims that change, and the operator names none"
            return supports(case, backend, mode) or (
                "padded inputs give another result" if mode is Mode.BUCKETED and _of(outputs, case) is None else None
            )

        return Implementation(
            operator=operator,
            name=f"{backend}.{mode.value}",
            build=lambda case: around(case, way(case).compile(function(case))),
            supports=unsupported,
            devices=BACKENDS[backend],
            mode=mode,
            source=lambda case: way(case).source(function(case).__name__ if modules else name or "reference", modules),
            description=f"torch.compile, backend {backend}, sizes {mode.value.replace('_', ' ')}",
        )

    return [implementation(backend, mode) for backend in backends for mode in modes]


def _of(value: Any, case: Any) -> Any:
    return value(case) if callable(value) else value
