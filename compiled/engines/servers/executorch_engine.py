# pyright: reportMissingImports=false
"""ExecuTorch: portable operators."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Lower a program, plan memory for the largest of its sizes, and load it into the runtime.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells the bytes of its artifacts, and how many there are.
    """
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime

    lowered = to_edge_transform_and_lower(program).to_executorch()
    loaded = Runtime.get().load_program(lowered.buffer)  # which its methods do not keep

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        given = [tensor.contiguous() for tensor in tensors]
        return [one.clone() for one in loaded.load_method("forward").execute(given)]

    return call, lambda: {"bytes": len(lowered.buffer), "artifacts": 1}
