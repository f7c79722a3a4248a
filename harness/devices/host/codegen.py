"""Compile LLVM IR to a shared object, by the LLVM and the linker inside Triton."""

import tempfile
from pathlib import Path

from eagerdiff.harness.devices.host import machine
from eagerdiff.harness.internals import triton_stages


def shared_object(text: str) -> bytes:
    """Return the shared object of a module's text; raise RuntimeError, of LLVM, where that does not verify."""
    triton_stages.llvm.init_targets()
    compiled: bytes = triton_stages.llvm.translate_to_asm(
        text, machine.triple(), machine.processor(), "", [], True, True
    )
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "kernel.o"), Path(folder, "kernel.so")
        given.write_bytes(compiled)
        triton_stages.link(str(given), str(made))
        return made.read_bytes()
