# torch_api, export.dynamic on cpu: RAISED RuntimeError: Attempting to broadcast a dimension of length s57 at -1! Mismatching argument at index 1 had torch.Size([s21, s57]); but expected shape should be broadcastable to [3, 6]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2, x3, x4):
    v0 = torch._unsafe_masked_index_put_accumulate(x0, x1, [x2, x3], x4)
    return parts(v0)

def program(x0, x1, x2, x3, x4):

    def loss(x0, x4):
        return sum((part.sum() for part in inner(x0, x1, x2, x3, x4) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0, 1))(x0, x4)
from torch import Tensor

def differentiated(function):

    def with_gradients(*args):
        leaves = [arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg for arg in args]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return (*(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found)
    return with_gradients
reference = differentiated(program)
example = (torch.zeros([8, 9], dtype=torch.float32), torch.zeros(20, dtype=torch.bool).as_strided([5, 2], [4, 2], 0), torch.zeros([5, 1], dtype=torch.int64), torch.zeros([1, 2], dtype=torch.int64), torch.zeros([5, 2], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([3.0, -1.0, -2.0, 1.0, 3.0], dtype=torch.float32).reshape((5, 1)), torch.tensor([False, False, True, True, True, True, True, True, False, False, False, False, False, False, False, False, False, False, True, True, True, True, False, False, False, False, False, False, False, False, False, False, False, False, False], dtype=torch.bool).as_strided((3, 6), (12, 2)), torch.tensor([0, 3, 0], dtype=torch.int64).reshape((3, 1)), torch.tensor([2, 3, 3, 4, 3, 2], dtype=torch.int64).reshape((1, 6)), torch.tensor([-2.180269241333008, 1.5014280080795288, 1.604130506515503, -1.5980597734451294, 0.14466392993927002, 1.0186567306518555, 0.8929906487464905, 1.0343397855758667, -0.053767215460538864, 0.700793981552124, 0.2017478197813034, -2.121182441711426, 2.116358995437622, 0.6360999345779419, -1.5354509353637695, 1.2636899948120117, -0.38900598883628845, -0.2776815891265869], dtype=torch.float32).reshape((3, 6)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
