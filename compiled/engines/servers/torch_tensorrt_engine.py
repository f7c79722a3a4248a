# pyright: reportMissingImports=false
"""Torch-TensorRT: parts of a program of torch.export become plans of TensorRT, the rest stays torch's."""

from collections.abc import Callable, Mapping, Sequence

import torch
from profiles import profiles
from torch import Tensor
from torch.utils import _pytree as pytree

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]
DEVICE = "cuda"


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Compile a program for the ranges that it declares.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells how many artifacts there are.
    """
    import torch_tensorrt

    given = [
        torch_tensorrt.Input(min_shape=one.least, opt_shape=one.middle, max_shape=one.most, dtype=one.dtype)
        for one in profiles(program).values()
    ]
    module = torch_tensorrt.dynamo.compile(program, arg_inputs=given, min_block_size=1, disable_tf32=True)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        return [one.cpu() for one in pytree.tree_leaves(module(*[tensor.to(DEVICE) for tensor in tensors]))]

    return call, lambda: {"artifacts": sum("_run_on_acc" in name for name, _ in module.named_children())}
