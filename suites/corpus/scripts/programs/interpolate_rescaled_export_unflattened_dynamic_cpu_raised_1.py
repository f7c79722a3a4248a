# programs, export_unflattened.dynamic on cpu: RAISED AssertionError: Guard failed: max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[3]))) != args_0.size()[0] * max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[2]))) * max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[3])))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
    return (v1,)
reference = program
example = (torch.zeros(1458, dtype=torch.float32).as_strided([9, 2, 9, 9], [81, 729, 9, 1], 0),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):
        v1 = F.interpolate(x0, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
        return (v1,)

class Part1(torch.nn.Module):

    def forward(self, v1):
        return (v1,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()

    def forward(self, *args):
        [x0] = args
        [v1] = self.part_0(x0)
        self.steps()
        result = self.part_1(v1)
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

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
