"""Triton's compilation up to TTIR, then ours: the hook that Triton offers for it."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from eagerdiff.harness.devices.host import machine
from eagerdiff.harness.devices.host.artefact import Artefact
from eagerdiff.harness.devices.host.mlir.parser import generic_text
from eagerdiff.harness.internals import triton_stages

Stage = Callable[[Any, dict[str, Any]], Any]
_LAST = {"cuda": "cubin", "hip": "hsaco"}
"""The stage whose result Triton loads, by the target's backend."""


def install(*, integers_wrap: bool = True) -> None:
    """Have Triton compile for this machine, in this process."""
    triton_stages.STAGES.replace(_replace)
    for hook in triton_stages.OPTIONS.values() if integers_wrap else ():
        hook.replace(_letting_integers_wrap(hook.reach()))


def _letting_integers_wrap(parse: Callable[[Any, dict[str, Any]], Any]) -> Callable[[Any, dict[str, Any]], Any]:
    """Leave out Triton's assertions that no integer wraps around: on a GPU they do, and kernels count on it."""

    def parse_options(self: Any, given: dict[str, Any]) -> Any:
        return parse(self, {"sanitize_overflow": False, **given})

    return parse_options


def _replace(backend: Any = None, stages: dict[str, Stage] | None = None, *_: Any) -> tuple[str, str] | None:
    """Keep the first stage, and put ours in the place of all others; asked for no stages, say what its results are."""
    if stages is None:
        return _KEY, _KEY
    first, last = stages["ttir"], next(name for name in _LAST.values() if name in stages)
    stages.clear()
    stages["ttir"] = first
    stages[last] = _compile
    return None


def _compile(module: Any, metadata: dict[str, Any]) -> bytes:
    """Turn TTIR into an artefact's bytes."""
    name = cast(str, module.get_entry_func_name())
    manager = triton_stages.ir.pass_manager(module.context)
    triton_stages.passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
    triton_stages.passes.common.add_canonicalizer(manager)
    triton_stages.passes.common.add_cse(manager)
    manager.run(module, "host")
    metadata.update(shared=_SHARED, name=name, tmem_size=0)
    return Artefact.of(generic_text(module), name).to_bytes()


def _digest() -> str:
    files = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".cpp", ".h"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


_SHARED = 1
"""Bytes of shared memory that a kernel is said to need. Nobody knows below TTIR; not 0, for programs divide by it."""
_KEY = f"eagerdiff-host-{machine.processor()}-{_digest()}"
"""What an artefact hangs on besides Triton's own key."""
