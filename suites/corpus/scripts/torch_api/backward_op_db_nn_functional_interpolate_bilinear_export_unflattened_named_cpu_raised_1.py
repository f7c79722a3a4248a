# torch_api, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (c, …)! - Not all values of c = L['args'][0].size()[2] in the specified range satisfy the generated guard math.trunc(0.5*torch.sym_float(L['args'][0].size()[2])) > 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, n0):
    v0 = x0[x1]
    v1 = torch.nn.functional.interpolate(v0, size=None, scale_factor=n0, mode='bilinear', align_corners=True, recompute_scale_factor=True)
    return parts(v1)
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
example = (torch.zeros([2, 5, 9, 11], dtype=torch.float32).as_strided([11, 9, 5, 2], [1, 11, 99, 495], 0), torch.zeros([11, 2], dtype=torch.bool).as_strided([11], [2], 0), 0.5)
a = torch.export.Dim('a')
b = torch.export.Dim('b', min=1)
c = torch.export.Dim('c', min=1)
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({0: a + 3, 1: b, 2: c, 3: d}, {0: a + 3}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, n0):
        v0 = x0[x1]
        return (n0, v0)

class Part1(torch.nn.Module):

    def forward(self, n0, v0):
        v1 = torch.nn.functional.interpolate(v0, size=None, scale_factor=n0, mode='bilinear', align_corners=True, recompute_scale_factor=True)
        return (v1,)

class Part2(torch.nn.Module):

    def forward(self, v1):
        return parts(v1)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, n0] = args
        [n0, v0] = self.part_0(x0, x1, n0)
        self.steps()
        [v1] = self.part_1(n0, v0)
        self.steps()
        result = self.part_2(v1)
        self.steps()
        return result
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
guards = getattr(exported.module(), '_guards_fn', None)
unflattened = torch.export.unflatten(exported)
submodules = sum((name.startswith('part_') for name, _ in unflattened.named_children()))

def implementation(*args):
    if guards is not None:
        guards(*args)
    before = int(unflattened.steps.taken)
    result = unflattened(*args)
    assert int(unflattened.steps.taken) - before == submodules, 'a submodule was not called once'
    return result
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(62496, generator=G).to(torch.float32).as_strided((18, 31, 16, 7), (1, 18, 558, 8928)).data, torch.tensor([True, True, False, False, True, True, True, True, True, True, False, False, True, True, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True], dtype=torch.bool).as_strided((18,), (2,)).data, 0.5, ), {}),
    ((torch.randn(10080, generator=G).to(torch.float32).as_strided((3, 30, 16, 7), (1, 3, 90, 1440)).data, torch.tensor([False, False, False, False, False], dtype=torch.bool).as_strided((3,), (2,)).data, 1.7, ), {}),
    ((torch.randn(273, generator=G).to(torch.float32).as_strided((15, 13, 1, 21), (0, 21, 21, 1)).data, torch.tensor([True, True, True, False, True, True, True, True, False, True, True, True, True, True, False], dtype=torch.bool), 1.7, ), {}),
    ((torch.randn(17280, generator=G).to(torch.float32).as_strided((18, 30, 16, 2), (1, 18, 540, 8640)).data, torch.tensor([True, True, True, True, True, True, True, True, False, False, True, True, False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True], dtype=torch.bool).as_strided((18,), (2,)).data, 1.7, ), {}),
    ((torch.randn(60480, generator=G).to(torch.float32).as_strided((18, 30, 16, 7), (1, 18, 540, 8640)).data, torch.tensor([True, True, True, True, True, True, True, True, False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, True, True, True], dtype=torch.bool).as_strided((18,), (2,)).data, 1.7, ), {}),
    ((torch.randn(56700, generator=G).to(torch.float32).reshape((18, 30, 15, 7)).data, torch.tensor([True, True, False, True, True, True, True, True, True, False, True, True, False, True, True, True, True, True], dtype=torch.bool), -0.25, ), {}),
    ((torch.randn(62496, generator=G).to(torch.float32).as_strided((18, 31, 16, 7), (1, 18, 558, 8928)).data, torch.tensor([True, True, False, False, True, True, True, True, True, True, False, False, True, True, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True], dtype=torch.bool).as_strided((18,), (2,)).data, 0.5, ), {}),
    ((torch.randn(36960, generator=G).to(torch.float32).as_strided((11, 30, 16, 7), (1, 11, 330, 5280)).data, torch.tensor([True, True, True, True, True, True, False, False, False, False, True, True, True, True, True, True, False, False, True, True, True], dtype=torch.bool).as_strided((11,), (2,)).data, 1.7, ), {}),
    ((torch.randn(33600, generator=G).to(torch.float32).as_strided((10, 30, 16, 7), (1, 10, 300, 4800)).data, torch.tensor([True, True, True, True, True, True, False, False, True, True, False, False, False, False, True, True, True, True, True], dtype=torch.bool).as_strided((10,), (2,)).data, -0.25, ), {}),
    ((torch.randn(10080, generator=G).to(torch.float32).as_strided((3, 30, 16, 7), (1, 3, 90, 1440)).data, torch.tensor([False, False, False, False, False], dtype=torch.bool).as_strided((3,), (2,)).data, 1.7, ), {}),
    ((torch.randn(60480, generator=G).to(torch.float32).as_strided((18, 30, 16, 7), (1, 18, 540, 8640)).data, torch.tensor([True, True, True, True, True, True, True, True, False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, True, True, True], dtype=torch.bool).as_strided((18,), (2,)).data, 1.7, ), {}),
    ((torch.randn(60480, generator=G).to(torch.float32).as_strided((18, 30, 16, 7), (1, 18, 540, 8640)).data, torch.tensor([True, True, True, True, True, True, True, True, False, False, False, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, False, False, True, True, True], dtype=torch.bool).as_strided((18,), (2,)).data, 1.7, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
