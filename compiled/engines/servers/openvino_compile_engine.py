# pyright: reportMissingImports=false
"""OpenVINO as a back end of torch.compile, of the module of an exported program."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree

Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]


def make(program: torch.export.ExportedProgram) -> tuple[Call, Told]:
    """Compile a program's module with sizes dynamic when it is called.

    What is returned takes the program's tensors, of any shape that it declares, and returns its outputs; then what
    tells how many artifacts there are.
    """
    from openvino.frontend.pytorch.torchdynamo.backend import openvino

    options = {"device": "CPU", "config": {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}}
    graphs: list[torch.fx.GraphModule] = []

    def backend(graph: torch.fx.GraphModule, inputs: list[Tensor]) -> Any:
        graphs.append(graph)
        return openvino(graph, inputs, options=options)

    compiled: Any = torch.compile(program.module(), backend=backend, dynamic=True)

    def call(*tensors: Tensor) -> Sequence[Tensor]:
        return pytree.tree_leaves(compiled(*tensors))

    return call, lambda: {"artifacts": len(graphs)}
