# engines, openvino_compile.named on cpu: RAISED EngineError: openvino_compile raised RuntimeError at call: The expanded size of the tensor (4) must match the existing size (61) at non-singleton dimension 0. Target sizes: [4, 4, 4, 16]. Tensor sizes: [61, 4, 4, 16]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(q_BHSD, k_BHSD, v_BHSD):
    scores = q_BHSD @ k_BHSD.transpose(-1, -2) * q_BHSD.size(-1) ** (-0.5)
    position = torch.arange(q_BHSD.size(2), device=q_BHSD.device)
    scores = scores.masked_fill(position > position.unsqueeze(1), float('-inf'))
    return F.softmax(scores, dim=-1) @ v_BHSD
example = (torch.zeros([5, 4, 13, 16], dtype=torch.float32), torch.zeros([5, 4, 13, 16], dtype=torch.float32), torch.zeros([5, 4, 13, 16], dtype=torch.float32))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 2: seq}, {0: batch, 2: seq}, {0: batch, 2: seq}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4, 47, 16)).data, torch.tensor([], dtype=torch.float32).reshape((0, 4, 47, 16)).data, torch.tensor([], dtype=torch.float32).reshape((0, 4, 47, 16)).data, ), {}),
    ((torch.randn(3008, generator=G).to(torch.float32).reshape((1, 4, 47, 16)).data, torch.randn(3008, generator=G).to(torch.float32).reshape((1, 4, 47, 16)).data, torch.randn(3008, generator=G).to(torch.float32).reshape((1, 4, 47, 16)).data, ), {}),
    ((torch.randn(12032, generator=G).to(torch.float32).reshape((4, 4, 47, 16)).data, torch.randn(12032, generator=G).to(torch.float32).reshape((4, 4, 47, 16)).data, torch.randn(12032, generator=G).to(torch.float32).reshape((4, 4, 47, 16)).data, ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4, 33, 16)).data, torch.tensor([], dtype=torch.float32).reshape((0, 4, 33, 16)).data, torch.tensor([], dtype=torch.float32).reshape((0, 4, 33, 16)).data, ), {}),
    ((torch.randn(15616, generator=G).to(torch.float32).reshape((61, 4, 4, 16)).data, torch.randn(15616, generator=G).to(torch.float32).reshape((61, 4, 4, 16)).data, torch.randn(15616, generator=G).to(torch.float32).reshape((61, 4, 4, 16)).data, ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 4, 47, 16)).data, torch.tensor([], dtype=torch.float32).reshape((0, 4, 47, 16)).data, torch.tensor([], dtype=torch.float32).reshape((0, 4, 47, 16)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
