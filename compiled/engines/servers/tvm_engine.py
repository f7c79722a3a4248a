# pyright: reportMissingImports=false
"""TVM, through relax' importer of programs of torch.export."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def make(program: torch.export.ExportedProgram) -> Callable[..., Sequence[Tensor]]:
    """Import a program with symbolic shapes, and compile it with LLVM for the CPU.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs.
    """
    import tvm
    from tvm import relax
    from tvm.relax.frontend.torch import from_exported_program

    compiled = tvm.compile(from_exported_program(program), target=tvm.target.Target("llvm"))
    machine = relax.VirtualMachine(compiled, tvm.cpu())

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = machine["main"](*[tvm.runtime.from_dlpack(tensor.contiguous()) for tensor in tensors])
        return [torch.from_dlpack(one).clone() for one in found]

    return call
