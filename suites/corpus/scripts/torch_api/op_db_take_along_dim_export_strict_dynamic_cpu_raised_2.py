# torch_api, export_strict.dynamic on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: Cannot call sizes() on tensor with symbolic sizes/strides\nException raised from throw_cannot_call_with_symbolic at /__w/pytorch/pytorch/c10/core/TensorImpl.cpp:34
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.take_along_dim(x0, x1, 1)
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, 0))(x0, x1)
reference = program
example = (torch.zeros([17, 2, 9], dtype=torch.float32), torch.zeros([17, 1, 9], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2, 1)), torch.tensor([0], dtype=torch.int64).reshape((1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
