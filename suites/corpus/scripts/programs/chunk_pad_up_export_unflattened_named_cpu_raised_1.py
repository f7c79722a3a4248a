# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (((-1) + (a) + ((2 + (a) + (((-1)*(a)) % 4)) // 3) + (((-1)*(a)) % 4)) // ((2 + (a) + (((-1)*(a)) % 4)) // 3)) == 3
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.pad(x0, (0, -x0.shape[-1] % 4))
    v2, v3, v4 = v1.chunk(3, 0)
    return (v2,)
reference = program
example = (torch.zeros([14], dtype=torch.float32),)
a = torch.export.Dim('a', min=5)
dynamic_shapes = (({0: a},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):
        v1 = F.pad(x0, (0, -x0.shape[-1] % 4))
        return (v1,)

class Part1(torch.nn.Module):

    def forward(self, v1):
        v2, v3, v4 = v1.chunk(3, 0)
        return (v2,)

class Part2(torch.nn.Module):

    def forward(self, v2):
        return (v2,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0] = args
        [v1] = self.part_0(x0)
        self.steps()
        [v2] = self.part_1(v1)
        self.steps()
        result = self.part_2(v2)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
