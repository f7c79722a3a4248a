# pyright: reportMissingImports=false
"""IREE, through turbine: a program of torch.export becomes MLIR, which IREE compiles for the CPU."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Import a program with dynamic dims, compile it for the CPU, and load it into a runtime without threads.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    import iree.runtime
    from iree.turbine import aot

    exported = aot.export(program)
    exported.session.set_flags("--iree-input-demote-f64-to-f32=false")
    compiled = exported.compile(save_to=None, target_backends="llvm-cpu")
    image = compiled.map_memory()
    config = iree.runtime.Config("local-sync")
    memory = iree.runtime.VmModule.copy_buffer(config.vm_instance, image)
    module = iree.runtime.load_vm_module(memory, config)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = module.main(*[tensor.numpy() for tensor in tensors])
        found = found if isinstance(found, list | tuple) else [found]
        return [torch.from_numpy(one.to_host().copy()) for one in found]

    return call, lambda: {"bytes": len(image), "artifacts": 1}
