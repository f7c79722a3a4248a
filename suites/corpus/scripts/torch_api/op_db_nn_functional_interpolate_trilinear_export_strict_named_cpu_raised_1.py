# torch_api, export_strict.named on cpu: RAISED build raised TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: Cannot call sizes() on tensor with symbolic sizes/strides\nException raised from throw_cannot_call_with_symbolic at /__w/pytorch/pytorch/c10/core/TensorImpl.cpp:340
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    v1 = torch.nn.functional.interpolate(v0, (3, 3, 4))
    return parts(v1)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
example = (torch.zeros([17, 5, 2, 17, 17, 17], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
batch = torch.export.Dim('batch', min=1)
dynamic_shapes = (({0: batch, 3: batch, 4: batch, 5: batch}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((1, 5, 2, 1, 1, 1)), torch.tensor([True, False, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
