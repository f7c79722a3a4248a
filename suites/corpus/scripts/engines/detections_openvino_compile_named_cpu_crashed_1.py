# engines, openvino_compile.named on cpu: CRASHED EngineEnded: openvino_compile: its process ended (signal 8) at call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(boxes_N4, scores_N):
    order = torch.argsort(scores_N, descending=True)
    boxes, scores = (boxes_N4[order], scores_N[order])
    size = (boxes[:, 2:] - boxes[:, :2]).clamp(min=0).prod(1)
    low = torch.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    overlap = (shared / (size[:, None] + size - shared).clamp(min=1e-06)).triu(diagonal=1)
    kept = torch.nonzero(~(overlap > 0.5).any(0)).squeeze(1)
    return (boxes[kept], scores[kept])
example = (torch.zeros([5, 4], dtype=torch.float32), torch.zeros([5], dtype=torch.float32))
batch = torch.export.Dim('batch')
dynamic_shapes = (({0: batch}, {0: batch}),)

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

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4)).data, torch.tensor([], dtype=torch.float32), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4)).data, torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
