# engines, executorch.bounded on cpu: RAISED EngineError: executorch raised RuntimeError at call: [tensor_util_portable.cpp:130] Check failed (all_contiguous || all_channels_last): 3 input tensors have different dim orders
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

from torch import Tensor

def reference(x_BS, mask_BS, source_N):
    return x_BS.masked_scatter(mask_BS, source_N) * 0.5
example = (torch.zeros([13, 5], dtype=torch.float32).as_strided([5, 13], [1, 5], 0), torch.zeros([65], dtype=torch.bool).as_strided([5, 13], [13, 1], 0), torch.zeros([3], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
count = torch.export.Dim('count', min=3, max=16)
dynamic_shapes = (({0: batch, 1: seq}, {0: batch, 1: seq}, {0: count}),)

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
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(1) <= 16 and (3 <= args[2].size(0) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([-0.6989619731903076, 0.8654662370681763, -0.30459216237068176, 2.4276130199432373, -0.59388667345047, -0.2797776162624359, -1.275768518447876, -0.40851321816444397, -0.05984436348080635, -0.9026322364807129, 0.6723893284797668, -1.384263277053833, 0.8880777955055237, 0.11140991747379303, -1.3724279403686523, -1.1658353805541992, 0.5828884243965149, 0.6216908693313599, 0.27160441875457764, 0.3558078706264496, 0.2250066101551056, 0.26674506068229675, -0.7753229141235352, -0.9827302098274231, 2.044097423553467, 0.37095752358436584, -0.8521263003349304, -0.5162762999534607, 0.6232097744941711, -0.3178098201751709, -0.23680366575717926, -0.895937979221344, -0.2753882110118866, 1.8892543315887451, -0.387502521276474, 2.6281862258911133, -2.5538809299468994, 0.22691506147384644, -1.2203624248504639], dtype=torch.float32).as_strided((13, 3), (1, 13)).data, torch.tensor([False, False, False, False, False, False, True, False, False, False, False, False, False, False, True, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, True, False, False, False, False, False, False, False], dtype=torch.bool).reshape((13, 3)).data, torch.tensor([0.5526028871536255, -0.5645639300346375, -0.07487379014492035], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
