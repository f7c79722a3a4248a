"""Compile LLVM IR to a shared object, by the LLVM and the linker inside Triton."""

import tempfile
from pathlib import Path

from eagerdiff.harness.devices.host import machine
from eagerdiff.harness.internals import triton_stages


def shared_object(text: str) -> bytes:
    """Return the shared object of a module's text; raise RuntimeError where that does not verify, or LLVM
    does not compile for this machine."""
    triton_stages.start_host()
    compiled = triton_stages.object_code(text, machine.triple(), machine.processor())
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "kernel.o"), Path(folder, "kernel.so")
        given.write_bytes(compiled)
        triton_stages.link(str(given), str(made))
        return made.read_bytes()
