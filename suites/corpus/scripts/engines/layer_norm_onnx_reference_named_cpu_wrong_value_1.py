# engines, onnx_reference.named on cpu: WRONG_VALUE an element is off by more than its terms and eager's error allow (rmse 2.31e-13, eager_rmse 1.36e-16, excess 79.9, worst_error 2.22e-12, worst_allowed 2.78e-14, worst_index 2.06e+03, allowed 5.04e-15, got -4.84096, expected -4.84096)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F
from torch import Tensor

def reference(x_BSD, weight_D, bias_D):
    return F.layer_norm(x_BSD, (x_BSD.size(-1),), weight_D, bias_D)
example = (torch.zeros([5, 13, 8], dtype=torch.float64), torch.zeros([8], dtype=torch.float64), torch.zeros([8], dtype=torch.float64))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq}, {}, {}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(5120, generator=G).to(torch.float64).reshape((5, 128, 8)).data, torch.tensor([0.5055822134017944, 0.47549116611480713, -1.5047128200531006, -1.5744272470474243, 0.2192368507385254, 0.7686010003089905, 1.0791614055633545, 0.78451007604599], dtype=torch.float64), torch.tensor([0.7009481191635132, 1.2791415452957153, -1.9027992486953735, 0.14581845700740814, -1.3252708911895752, -1.2796763181686401, -1.1876561641693115, 0.4555588960647583], dtype=torch.float64), ), {}),
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
