# engines, openvino_compile.named on cpu: WRONG_SHAPE shape [0, 16] where eager gives [9, 16]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F
from torch import Tensor

def reference(x_BSD, score_BS):
    return (F.softmax(score_BS, dim=-1).unsqueeze(-1) * x_BSD).sum(1)
example = (torch.zeros([5, 13, 16, 2], dtype=torch.float32).as_strided([5, 13, 16], [416, 32, 2], 0), torch.zeros([5, 13, 2], dtype=torch.float32).as_strided([5, 13], [26, 2], 0))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq}, {0: batch, 1: seq}),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((9, 0, 16)).data, torch.tensor([], dtype=torch.float32).reshape((9, 0)).data, ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
