# pyright: reportMissingImports=false
"""BladeDISC: one binary for all shapes (DHLO), of TorchScript's trace of a program; its torch is 2.0 at most."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]
DEVICE = "cuda"


def make(program: Any, *example: Tensor) -> tuple[Call, Told]:
    """Compile a program that TorchScript traced from an example.

    What is returned takes the program's tensors, of any shape, and returns its outputs; then what tells how many
    artifacts there are.
    """
    import torch_blade

    given = tuple(one.to(DEVICE) for one in example)
    with torch.no_grad():
        optimised = torch_blade.optimize(program.to(DEVICE).eval(), allow_tracing=True, model_inputs=given)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        found = optimised(*[tensor.to(DEVICE) for tensor in tensors])
        return [one.cpu() for one in (found if isinstance(found, list | tuple) else [found])]

    return call, lambda: {"artifacts": 1}
