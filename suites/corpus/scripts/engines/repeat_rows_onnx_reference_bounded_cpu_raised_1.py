# engines, onnx_reference.bounded on cpu: RAISED EngineError: onnx_reference raised ValueError at call: Axis must be a rank-0 tensor, got `1`.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BD, count_B):
    return torch.repeat_interleave(x_BD, count_B, dim=0) + 1.0
example = (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([5], dtype=torch.int64))
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {0: batch}),)

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
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(64, generator=G).to(torch.float32).reshape((8, 8)).data, torch.tensor([0, 0, 0, 0, 0, 0, 0, 0], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
