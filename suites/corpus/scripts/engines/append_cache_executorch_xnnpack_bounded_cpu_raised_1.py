# engines, executorch_xnnpack.bounded on cpu: RAISED EngineError: executorch_xnnpack raised RuntimeError at call: [XNNExecutor.cpp:169] Internal Error: Propagating input shapes failed with code: xnn_status_invalid_parameter
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(cache_BTD, new_BSD):
    whole = torch.cat((cache_BTD, new_BSD), dim=1)
    return (whole, whole.sum(1) / max(whole.size(1), 1))
example = (torch.zeros([3, 5, 8], dtype=torch.float32).as_strided([5, 3, 8], [8, 40, 1], 0), torch.zeros([13, 5, 8], dtype=torch.float32).as_strided([5, 13, 8], [8, 40, 1], 0))
batch = torch.export.Dim('batch', min=3, max=16)
cache = torch.export.Dim('cache', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: cache}, {0: batch, 1: seq}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16 and (3 <= args[1].size(1) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(320, generator=G).to(torch.float32).as_strided((5, 8, 8), (8, 40, 1)).data, torch.randn(200, generator=G).to(torch.float32).as_strided((5, 5, 8), (8, 40, 1)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
