"""Offline compilation: what a kernel costs on a GPU that is not there (registers, spills, specialisations)."""

import contextlib
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eagerdiff.harness.devices import machine_code
from eagerdiff.harness.devices.targets import TARGETS
from eagerdiff.harness.ledger.triton import describe_specialisation

if TYPE_CHECKING:
    from eagerdiff.harness.model.case import Case
    from eagerdiff.harness.model.implementation import Implementation
    from eagerdiff.harness.model.operator import Operator


@dataclass
class OfflineReport:
    """Describe one specialisation of one Triton kernel, compiled for one target."""

    kernel: str
    target: str
    registers: int
    """A thread, of 32 bits."""
    spill_bytes: int
    """Stack and local memory a thread: 0 where nothing spilled."""
    shared_bytes: int
    """A block; what the launcher asks for included."""
    code_bytes: int
    """Machine code."""
    num_warps: int
    instructions: dict[str, int]
    """Instructions by class, in PTX or amdgcn; `total` besides."""
    specialisation: str = ""
    """Types and attributes of the arguments, constants."""
    launches: int = 1
    """How many launches of the workload used it."""


@dataclass(frozen=True)
class Launch:
    """Hold the arguments of one launch: `kernel[grid](*args, **meta)`."""

    args: tuple[Any, ...]
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


def ignore_code(report: OfflineReport, compiled: Any) -> None:
    """Keep the report alone."""


def compile_kernel(
    kernel: Any,
    signature: Mapping[str, str],
    constexprs: Mapping[str, Any],
    target: str,
    options: Mapping[str, Any] | None = None,
    attributes: Mapping[tuple[int, ...], Any] | None = None,
    note_code: Callable[[OfflineReport, Any], None] = ignore_code,
) -> OfflineReport:
    """Compile a `triton.jit` function for a target such as `sm_90` without a GPU.

    `signature` gives Triton's type of each argument that is not a constant (`*fp32`, `i32`), `attributes` what is known
    of one by its place (`{(0,): [["tt.divisibility", 16]]}`). `note_code` is called as in `capture`. Raises ValueError
    for an unknown target, RuntimeError in a process of the interpreter, and what the compiler raises.
    """
    import triton

    from eagerdiff.harness.internals.triton_compiler import ASTSource

    goal = _gpu_target(target)
    _refuse_interpreter()
    types = {**signature, **dict.fromkeys(constexprs, "constexpr")}
    ordered = {name: types[name] for name in kernel.arg_names if name in types}
    source = ASTSource(fn=kernel, signature=ordered, constexprs=dict(constexprs), attrs=dict(attributes or {}))
    compiled = triton.compile(source, target=goal, options=dict(options or {}))
    report = _report(kernel.fn.__name__, target, compiled, f"{ordered} {dict(constexprs)}")
    note_code(report, compiled)
    return report


def count_specialisations(kernel: Any, launches: Sequence[Launch], target: str = "sm_90") -> int:
    """Count the artifacts that a sequence of launches would compile, without compiling any.

    It asks Triton's own specialisation (1, divisible by 16, 64 bits, aligned pointer). Tensors may live on the
    processor. Raises as `compile_kernel` does.
    """
    keys: set[str] = set()

    def note(*, key: str, **_: Any) -> bool:
        keys.add(str(key))
        return True  # Triton then skips the compilation.

    with _at(target) as swap, _hook("jit_cache_hook", note):
        swap(kernel)
        for launch in launches:
            kernel.run(*launch.args, grid=(1,), warmup=True, **launch.meta)
    return len(keys)


def launch_all(operator: "Operator", implementation: "Implementation", cases: Sequence["Case"]) -> None:
    """Build an implementation for the first case and call it on each, with tensors on the processor (in `capture`)."""
    call = implementation.build(cases[0])
    for case in cases:
        inputs = operator.inputs(case, "cpu")
        call(*inputs.args, **inputs.options)


@contextlib.contextmanager
def capture(
    target: str,
    note_code: Callable[[OfflineReport, Any], None] = ignore_code,
    note_refusal: Callable[[str, Exception], None] = lambda _kernel, _error: None,
) -> Generator[list[OfflineReport]]:
    """Compile every kernel launch inside for a target in place of running it; give one report a specialisation.

    `note_code` is called with each report and Triton's `CompiledKernel`, whose `asm` is the code by stage;
    `note_refusal` with the name of a kernel that does not compile and with what is then raised.

    The outputs of kernels stay as they were allocated: results are meaningless, and host code that depends on them
    sees what was there. Every configuration that an autotuner would time is compiled and reported; the first is taken.
    Raises as `compile_kernel` does.
    """
    from eagerdiff.harness.internals.triton_jit import METHODS

    reports: dict[tuple[str, str], OfflineReport] = {}
    keys: list[str] = []
    launch = METHODS["run"].reach()

    def note(*, compile: dict[str, Any], **_: Any) -> None:
        keys.append(describe_specialisation(compile))

    def run(kernel: Any, *args: Any, grid: Any, warmup: bool, **meta: Any) -> Any:
        swap(kernel)
        name = kernel.fn.__name__
        try:
            compiled = launch(kernel, *args, grid=grid, warmup=True, **meta)
        except Exception as error:
            note_refusal(name, error)
            raise
        if (known := reports.get((name, compiled.hash))) is not None:
            known.launches += 1
        else:
            reports[name, compiled.hash] = _report(name, target, compiled, keys[-1] if keys else "")
            found.append(reports[name, compiled.hash])
            note_code(found[-1], compiled)
        return compiled

    found: list[OfflineReport] = []
    with _at(target, compiles_choices=True) as swap, _hook("jit_post_compile_hook", note), _untuned():
        METHODS["run"].replace(run)
        try:
            yield found
        finally:
            METHODS["run"].replace(launch)


@contextlib.contextmanager
def _at(target: str, *, compiles_choices: bool = False) -> Generator[Callable[[Any], None]]:
    """Make Triton believe in the target; gives a function that hides a kernel's compiled code until the end."""
    from eagerdiff.harness.devices.offline_driver import OfflineDriver
    from eagerdiff.harness.internals.triton_driver import driving

    _refuse_interpreter()
    _gpu_target(target)
    hidden: dict[int, tuple[Any, Any]] = {}

    def swap(kernel: Any) -> None:
        # Triton keeps code and target by device index; ours is always 0.
        if id(kernel) not in hidden:
            hidden[id(kernel)] = (kernel, kernel.device_caches)
            kernel.device_caches = defaultdict(kernel.create_binder)

    offline = OfflineDriver.for_target(*TARGETS[target])
    offline.compiles_choices = compiles_choices
    try:
        with driving(offline):
            yield swap
    finally:
        for kernel, caches in hidden.values():
            kernel.device_caches = caches


@contextlib.contextmanager
def _untuned() -> Generator[None]:
    """Hide what autotuners chose before, and forget what they choose inside: nothing was timed."""
    from eagerdiff.harness.internals.triton_autotuner import METHODS

    kept: dict[int, tuple[Any, Any, Any]] = {}
    tune = METHODS["run"].reach()

    def run(tuner: Any, *args: Any, **options: Any) -> Any:
        if id(tuner) not in kept:
            kept[id(tuner)] = (tuner, tuner.cache, getattr(tuner, "cache_results", False))
            tuner.cache, tuner.cache_results = {}, False
        return tune(tuner, *args, **options)

    METHODS["run"].replace(run)
    try:
        yield
    finally:
        METHODS["run"].replace(tune)
        for tuner, cache, cache_results in kept.values():
            tuner.cache, tuner.cache_results = cache, cache_results


@contextlib.contextmanager
def _hook(name: str, call: Callable[..., Any]) -> Generator[None]:
    from eagerdiff.harness.internals.triton_knobs import HOOKS

    before = HOOKS[name].reach()

    def both(**told: Any) -> Any:
        answer = call(**told)
        if before is not None:
            before(**told)
        return answer

    HOOKS[name].replace(both)
    try:
        yield
    finally:
        HOOKS[name].replace(before)


def _gpu_target(target: str) -> Any:
    from eagerdiff.harness.internals.triton_compiler import GPUTarget

    if target not in TARGETS:
        raise ValueError(f"no such offline target: {target!r} (one of {', '.join(TARGETS)})")
    return GPUTarget(*TARGETS[target])


def _refuse_interpreter() -> None:
    from eagerdiff.harness.internals.triton_knobs import is_interpreting

    if is_interpreting():
        raise RuntimeError("kernels were decorated for the interpreter: start the process with TRITON_INTERPRET=0")


def _report(name: str, target: str, compiled: Any, specialisation: str) -> OfflineReport:
    stages: Mapping[str, Any] = compiled.asm
    figures = machine_code.usage(stages)
    figures["shared_bytes"] = max(figures["shared_bytes"], int(compiled.metadata.shared or 0))
    assembly, binary = ("ptx", "cubin") if "cubin" in stages else ("amdgcn", "hsaco")
    return OfflineReport(
        kernel=name,
        target=target,
        code_bytes=machine_code.code_bytes(stages[binary]),
        num_warps=int(compiled.metadata.num_warps),
        instructions=machine_code.instruction_mix(stages[assembly]),
        specialisation=specialisation,
        **figures,
    )
