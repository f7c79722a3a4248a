# engines, executorch_xnnpack.bounded on cpu: RAISED build raised EngineError: executorch_xnnpack raised AssertionError at load: Failed to map a given dim_order: [1, 0, 2] to a torch.memory_format
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BSD, residual_BSD, weight_D):
    h = x_BSD + residual_BSD
    scale = torch.rsqrt(h.float().pow(2).mean(-1, keepdim=True) + 1e-06)
    return (h * scale.to(h.dtype) * weight_D, h)
example = (torch.zeros([13, 5, 1], dtype=torch.float16).as_strided([5, 13, 1], [1, 5, 1], 0), torch.zeros([13, 5, 1], dtype=torch.float16).as_strided([5, 13, 1], [1, 5, 1], 0), torch.zeros([1], dtype=torch.float16))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {0: batch, 1: seq}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
from collections.abc import Callable, Mapping, Sequence
Call = Callable[..., Sequence[Tensor]]
Told = Callable[[], Mapping[str, int]]

def make(program):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
    lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch()
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
    ((torch.tensor([-0.91064453125, 2.453125, -1.93359375, 0.0211639404296875, -2.341796875, 0.21240234375, -0.280517578125, 0.98828125, 3.203125, -0.0849609375, 0.08074951171875, 0.1046142578125, -0.6015625, -0.55419921875, 0.87353515625, 0.521484375, -0.0113983154296875, -0.9970703125, -2.193359375, -0.031219482421875, 0.775390625, 1.453125, -0.64697265625, 0.3173828125, 0.8994140625, 1.8935546875, -0.81396484375, 0.72216796875, -0.50732421875, 0.0888671875, -0.62158203125, -0.209716796875], dtype=torch.float16).as_strided((4, 8, 1), (1, 4, 1)).data, torch.tensor([-0.388427734375, 0.2135009765625, -2.04296875, 0.458984375, -0.1492919921875, 0.136474609375, 1.9169921875, -0.32958984375, 0.66748046875, -1.58203125, 1.0107421875, 0.78662109375, -0.80322265625, 0.06475830078125, 2.0, -1.6044921875, -1.0400390625, -2.2734375, -0.0042724609375, 1.1640625, -1.1142578125, -0.68115234375, -0.429443359375, 0.3095703125, 1.076171875, 0.583984375, 2.13671875, -0.132080078125, 0.68603515625, 0.14990234375, 0.6259765625, -0.2178955078125], dtype=torch.float16).as_strided((4, 8, 1), (1, 4, 1)).data, torch.tensor([-0.57470703125], dtype=torch.float16), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
