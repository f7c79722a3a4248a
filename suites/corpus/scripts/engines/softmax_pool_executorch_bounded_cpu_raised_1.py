# engines, executorch.bounded on cpu: RAISED EngineError: executorch raised RuntimeError at call: [activation_ops_util.cpp:88] Check failed (tensor_is_default_or_channels_last_dim_order(in))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
from torch import Tensor

def reference(x_BSD, score_BS):
    return (F.softmax(score_BS, dim=-1).unsqueeze(-1) * x_BSD).sum(1)
example = (torch.zeros([13, 5, 8], dtype=torch.float32).as_strided([5, 13, 8], [8, 40, 1], 0), torch.zeros([13, 5], dtype=torch.float32).as_strided([5, 13], [1, 5], 0))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {0: batch, 1: seq}),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(160, generator=G).to(torch.float32).as_strided((4, 5, 8), (8, 32, 1)).data, torch.tensor([0.9671456813812256, 0.13147805631160736, 0.586687445640564, -1.1959494352340698, -0.9910827279090881, 1.5735383033752441, 0.15829536318778992, 1.311892032623291, 0.3016054332256317, 0.7814299464225769, 0.6667810678482056, -0.20983894169330597, -0.10731692612171173, 0.9874365925788879, -0.9943896532058716, 0.7817313075065613, 1.0810725688934326, -1.4878075122833252, -1.189363956451416, 0.9896925687789917], dtype=torch.float32).as_strided((4, 5), (1, 4)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
