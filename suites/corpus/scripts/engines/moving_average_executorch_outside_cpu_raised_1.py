# engines, executorch.outside on cpu: RAISED GuardLost: executorch answered where a guard of the program refuses the call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(x_BS):
    return F.pad(x_BS, (3, 0)).unfold(1, 4, 1).mean(-1)
example = (torch.zeros([5, 13], dtype=torch.float32),)
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
    lowered = to_edge_transform_and_lower(program).to_executorch()
    method = Runtime.get().load_program(lowered.buffer).load_method('forward')

    def call(*tensors):
        return [one.clone() for one in method.execute([tensor.contiguous() for tensor in tensors])]
    return (call, lambda: {'bytes': len(lowered.buffer), 'artifacts': 1})
answering, _ = make(exported)

def implementation(*args):
    return torch.utils._pytree.tree_unflatten(list(answering(*args)), exported.call_spec.out_spec)
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.130702018737793, 0.15560634434223175, 1.336809754371643, 0.08557339757680893, 0.008799751289188862, -1.790258765220642], dtype=torch.float32).reshape((3, 2)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
