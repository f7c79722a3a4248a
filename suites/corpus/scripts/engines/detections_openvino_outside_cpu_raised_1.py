# engines, openvino.outside on cpu: RAISED GuardLost: openvino answered where a guard of the program refuses the call
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
batch = torch.export.Dim('batch', min=3, max=16)
dynamic_shapes = (({0: batch}, {0: batch}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    import openvino
    core = openvino.Core()
    core.set_property('CPU', {'INFERENCE_NUM_THREADS': 1, 'INFERENCE_PRECISION_HINT': 'f32'})
    compiled = core.compile_model(openvino.convert_model(program), 'CPU')

    def call(*tensors):
        given = [openvino.Tensor(tensor.contiguous().numpy(), tensor.shape) for tensor in tensors]
        found = compiled(given)
        return [torch.from_numpy(found[port].copy()) for port in compiled.outputs]
    return (call, lambda: {'bytes': compiled.export_model().getbuffer().nbytes, 'artifacts': 1})
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
    ((torch.randn(196, generator=G).to(torch.float32).reshape((49, 4)).data, torch.randn(49, generator=G).to(torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
