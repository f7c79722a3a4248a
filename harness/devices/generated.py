"""Generated kernels: those that stand in the code that Inductor writes, compiled for a GPU that is not there."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from eagerdiff.harness.devices.offline import OfflineReport, compile_kernel, ignore_code
from eagerdiff.harness.devices.targets import TARGETS

_DRIVERS = ("set_driver_to_cpu", "set_driver_to_gpu")
_H100 = {
    "index": 0,
    "multi_processor_count": 132,
    "regs_per_multiprocessor": 65_536,
    "max_threads_per_multi_processor": 2_048,
    "max_threads_per_block": 1_024,
}
"""What Inductor tunes its kernels for, besides the target's own figures."""


def sources_in(code: str) -> Iterator[tuple[str, str]]:
    """Return name and source of each Triton kernel in a module that Inductor wrote; none where it cannot be read."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("async_compile"), attr="triton"),
                args=[ast.Constant(str(name)), ast.Constant(str(source)), *_],
            ):
                yield name, source
            case _:
                pass


def compile_generated(
    name: str,
    source: str,
    file: Path,
    target: str,
    note_code: Callable[[OfflineReport, Any], None] = ignore_code,
) -> list[OfflineReport]:
    """Compile one kernel in each configuration that Inductor would time; its source is written to a file first.

    Raises as `compile_kernel` does.
    """
    from eagerdiff.harness.internals.inductor_triton_backend import HELPERS, PROPERTIES

    backend, architecture, warp = TARGETS[target]
    major = architecture // 10 if isinstance(architecture, int) else None
    properties = PROPERTIES.reach()(type=backend, cc=architecture, major=major, warp_size=warp, **_H100)
    replaced = [(HELPERS[one], HELPERS[one].replace(lambda: None)) for one in _DRIVERS]
    replaced.append((PROPERTIES, PROPERTIES.replace(lambda **_: properties)))
    try:
        file.write_text(source, encoding="utf-8")
        space = {"__name__": name, "__file__": str(file)}
        exec(compile(source, str(file), "exec"), space)
        tuned: Any = space[name]
        meta = tuned.triton_meta
        signature = {one: kind for one, kind in meta["signature"].items() if kind != "constexpr"}
        return [
            compile_kernel(
                tuned.fn,
                signature,
                {**meta["constants"], **config.kwargs},
                target,
                {"num_warps": config.num_warps, "num_stages": config.num_stages},
                meta["configs"][0],
                note_code,
            )
            for config in tuned.configs
        ]
    finally:
        for hook, before in replaced:
            hook.replace(before)
