# pyright: reportMissingImports=false
"""XLA through torch_xla: operations are gathered, and compiled for each set of shapes."""

import os
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Move a program's module to XLA's device, the CPU.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells how many artifacts there are.
    """
    os.environ.setdefault("PJRT_DEVICE", "CPU")
    import torch_xla
    from torch.export.passes import move_to_device_pass
    from torch_xla.debug import metrics

    metrics.clear_all()
    device = torch_xla.device()
    module = move_to_device_pass(program, device).module(check_guards=False)  # its torch cannot read ours' guards

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        return [one.cpu() for one in pytree.tree_leaves(module(*[tensor.to(device) for tensor in tensors]))]

    return call, lambda: {"artifacts": (metrics.metric_data("CompileTime") or [0])[0]}
