"""Triton's layer: kernels specialised, autotuning runs."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from eagerdiff.harness.internals import triton_autotuner, triton_knobs
from eagerdiff.harness.internals.hook import Hook
from eagerdiff.harness.model.outcome import CompileRecord


class TritonLayer:
    """Listen to `triton.compile` (Inductor's kernels too), to the JIT's hooks of specialisation and launch, and to the
    autotuner.

    On the interpreter nothing is compiled and nothing is recorded.
    """

    def __init__(self) -> None:
        self._pending: list[CompileRecord] = []
        self._launches = Counter[str]()
        self._timing = False
        self._undo: list[Callable[[], Any]] = []

    def start(self) -> None:
        """Install the hooks where Triton is loaded."""
        self._install()

    def drain(self, call: int) -> list[CompileRecord]:
        """Return one `triton` record a specialisation and one `autotune` record a measured configuration."""
        if not self._undo:
            self._install()
        pending, self._pending = self._pending, []
        return [record.model_copy(update={"call": call}) for record in pending]

    def drain_launches(self) -> Counter[str]:
        """Return how often each kernel was launched on a GPU since the last time."""
        launches, self._launches = self._launches, Counter()
        return launches

    def stop(self) -> None:
        """Put back what was there before."""
        while self._undo:
            self._undo.pop()()

    def _install(self) -> None:
        if not triton_knobs.is_loaded():
            return
        self._chain(triton_knobs.HOOKS["listener"], self._compiled)
        self._chain(triton_knobs.HOOKS["jit_post_compile_hook"], self._specialised)
        launches = triton_knobs.HOOKS["launch_enter_hook"].reach()
        launches.add(self._launched)
        self._undo.append(lambda: launches.remove(self._launched))
        if triton_autotuner.HOOKS["Autotuner"].loaded() is not None:
            timing = triton_autotuner.METHODS["bench"]
            self._put(timing, self._noted(before := timing.reach()), before)

    def _chain(self, hook: Hook, listen: Callable[..., None]) -> None:
        before = hook.reach()

        def both(*args: Any, **options: Any) -> Any:
            listen(*args, **options)
            return before(*args, **options) if before is not None else None

        self._put(hook, both, before)

    def _put(self, hook: Hook, thing: Any, before: Any) -> None:
        hook.replace(thing)
        self._undo.append(lambda: hook.replace(before))

    def _noted(self, before: Callable[..., Any]) -> Callable[..., Any]:
        """Note each choice that an autotuner times, and what is compiled for it."""

        def bench(tuner: Any, *args: Any, config: Any, **meta: Any) -> Any:
            self._pending.append(CompileRecord(layer="autotune", frame=_name(tuner.base_fn), reason=str(config)))
            first = len(self._pending)
            self._timing = True
            try:
                return before(tuner, *args, config=config, **meta)
            finally:
                self._timing = False
                # What is compiled to be timed belongs to one choice: the key's, which is not in the cache yet.
                for record in self._pending[first:]:
                    record.details |= {"inside": "autotune", "choice": len(tuner.cache)}

        return bench

    def _launched(self, metadata: Any) -> None:
        if not self._timing:
            self._launches[str(metadata.get()["name"])] += 1

    def _compiled(self, *, src: Any, metadata: dict[str, Any], times: Any, cache_hit: bool, **_: Any) -> None:
        self._pending.append(
            CompileRecord(
                layer="triton",
                frame=str(getattr(src, "name", "") or metadata.get("name", "?")),
                seconds=getattr(times, "total", 0) / 1e6,
                cache_hit=cache_hit,
                details={"hash": str(metadata.get("hash", "")), "shared_bytes": metadata.get("shared") or 0},
            )
        )

    def _specialised(self, *, compile: dict[str, Any], **_: Any) -> None:
        # The JIT calls this just after its `triton.compile`, which made the newest record.
        record = next((record for record in reversed(self._pending) if record.layer == "triton"), None)
        if record is not None:
            record.reason = describe_specialisation(compile)


def describe_specialisation(compile: Mapping[str, Any]) -> str:
    """Return one line of what `jit_post_compile_hook` tells: `x_ptr: *fp32 /16, n: i32, BLOCK=64, num_warps=4`."""
    names = list(compile["signature"])
    constants = {path if isinstance(path, tuple) else (path,): value for path, value in compile["constants"].items()}
    attributes: dict[Any, Any] = dict(compile["configs"][0])
    parts: list[str] = []
    for index, name in enumerate(names):
        marks = "".join(f" /{value}" for key, value in attributes.get((index,), ()) if key == "tt.divisibility")
        constant = constants.get((index,), constants.get((name,)))
        fixed = compile["signature"][name] == "constexpr"
        parts.append(f"{name}={constant}" if fixed else f"{name}: {compile['signature'][name]}{marks}")
    return ", ".join([*parts, f"num_warps={compile['num_warps']}"])


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", "?"))
