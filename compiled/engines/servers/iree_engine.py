# pyright: reportMissingImports=false
"""IREE, through turbine: a program of torch.export becomes MLIR, which IREE compiles for the CPU."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def make(program: torch.export.ExportedProgram) -> Callable[..., Sequence[Tensor]]:
    """Import a program with dynamic dims, compile it for the CPU, and load it into a runtime without threads.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs.
    """
    import iree.runtime
    from iree.turbine import aot

    compiled = aot.export(program).compile(save_to=None, target_backends="llvm-cpu")
    config = iree.runtime.Config("local-sync")
    memory = iree.runtime.VmModule.copy_buffer(config.vm_instance, compiled.map_memory())
    module = iree.runtime.load_vm_module(memory, config)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = module.main(*[tensor.numpy() for tensor in tensors])
        found = found if isinstance(found, list | tuple) else [found]
        return [torch.from_numpy(one.to_host().copy()) for one in found]

    return call
