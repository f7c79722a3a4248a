# engines, executorch_xnnpack.bounded on cpu: RAISED EngineError: executorch_xnnpack raised RuntimeError at call: [copy_ops_util.cpp:205] Check failed (expand_sizes[j] == self_sizes[i]): The expanded size of the tensor (4) must match the existing size (7) at non-singleton dimension 1.
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
example = (torch.zeros([4, 5, 13, 1], dtype=torch.float16).as_strided([5, 4, 13, 1], [13, 65, 1, 1], 0), torch.zeros([4, 5, 13, 1], dtype=torch.float16).as_strided([5, 4, 13, 1], [13, 65, 1, 1], 0), torch.zeros([4, 5, 13, 1], dtype=torch.float16).as_strided([5, 4, 13, 1], [13, 65, 1, 1], 0))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 2: seq}, {0: batch, 2: seq}, {0: batch, 2: seq}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(280, generator=G).to(torch.float16).as_strided((7, 4, 10, 1), (10, 70, 1, 1)).data, torch.randn(280, generator=G).to(torch.float16).as_strided((7, 4, 10, 1), (10, 70, 1, 1)).data, torch.randn(280, generator=G).to(torch.float16).as_strided((7, 4, 10, 1), (10, 70, 1, 1)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
