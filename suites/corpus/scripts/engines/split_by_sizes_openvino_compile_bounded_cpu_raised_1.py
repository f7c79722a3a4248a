# engines, openvino_compile.bounded on cpu: RAISED EngineError: openvino_compile raised AssertionError at call: sources must not be empty for symbol s79
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, sizes_3):
    first, second, third = torch.split(x_BD, sizes_3.tolist())
    return (first * 1.5, torch.relu(second), third.sum(0))
example = (torch.zeros([5, 1], dtype=torch.float32), torch.zeros([3], dtype=torch.int64))
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from torch.utils import _pytree as pytree
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    from openvino.frontend.pytorch.torchdynamo.backend import openvino
    options = {'device': 'CPU', 'config': {'INFERENCE_NUM_THREADS': 1, 'INFERENCE_PRECISION_HINT': 'f32'}}
    graphs: list[torch.fx.GraphModule] = []

    def backend(graph, inputs):
        graphs.append(graph)
        return openvino(graph, inputs, options=options)
    compiled: Any = torch.compile(program.module(), backend=backend, dynamic=True)

    def call(*tensors):
        return pytree.tree_leaves(compiled(*tensors))
    return (call, lambda: {'artifacts': len(graphs)})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([-0.9859014749526978, -1.5314170122146606, -0.8273480534553528, 1.5730854272842407, 0.7321764230728149, 0.5490782260894775, -1.2707487344741821, -1.3013994693756104, 0.003085931297391653], dtype=torch.float32).reshape((9, 1)).data, torch.tensor([8, 1, 0], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
