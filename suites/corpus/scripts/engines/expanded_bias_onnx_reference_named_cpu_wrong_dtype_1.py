# engines, onnx_reference.named on cpu: WRONG_DTYPE [1] dtype float32 where eager gives float16
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

from torch import Tensor

def reference(x_BS, bias_S):
    bias_BS = bias_S.expand(x_BS.size(0), -1)
    return (torch.sigmoid(x_BS + bias_BS), (x_BS * bias_BS).sum(0))
example = (torch.zeros([5, 13], dtype=torch.float16), torch.zeros([13], dtype=torch.float16))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq}, {0: seq}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
import numpy
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    from onnx.reference import ReferenceEvaluator
    exported = torch.onnx.export(program, dynamo=True, verbose=False)
    assert exported is not None
    model = exported.model_proto
    names = [one.name for one in model.graph.input]
    evaluator = ReferenceEvaluator(model)

    def call(*tensors):
        found = evaluator.run(None, dict(zip(names, (tensor.numpy() for tensor in tensors), strict=True)))
        return [torch.from_numpy(numpy.array(one)) for one in found]
    return (call, lambda: {'bytes': model.ByteSize(), 'artifacts': 1})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)

calls = [
    ((torch.tensor([], dtype=torch.float16).reshape((9, 0)).data, torch.tensor([], dtype=torch.float16), ), {}),
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
