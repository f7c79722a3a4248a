# torch_api, export_strict.named on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: Cannot call numel() on tensor with symbolic sizes/strides\nException raised from throw_cannot_call_with_symbolic at /__w/pytorch/pytorch/c10/core/TensorImpl.cpp:340
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten.fake_quantize_per_channel_affine_cachemask_backward.default(x0, x1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32), torch.zeros([2, 9], dtype=torch.bool))
b = torch.export.Dim('b')
dynamic_shapes = (({1: b}, {1: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.bool).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
