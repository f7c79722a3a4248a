# pyright: reportMissingImports=false
"""TVM, through relax' importer of programs of torch.export."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Import a program with symbolic shapes, and compile it with LLVM for the CPU.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program

    compiled = tvm.compile(from_exported_program(program), target=tvm.target.Target("llvm"))
    machine = relax.VirtualMachine(compiled, tvm.cpu())

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = machine["main"](*[tvm.runtime.from_dlpack(tensor.contiguous()) for tensor in tensors])
        return [torch.from_dlpack(one).clone() for one in found]

    def told() -> Mapping[str, int]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "library.so"
            compiled.export_library(str(path))
            return {"bytes": path.stat().st_size, "artifacts": 1}

    return call, told
