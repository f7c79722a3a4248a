# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 2*(((a) + min((a), 1 + (a))) // (1 + min((a), 1 + (a)))) + 2*(a)*(((a) + min((a), 1 + (a))) // (1 + min((a), 1 + (a)))) >= 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1):
    v2_0 = x0 + x0[::max(min(x0.shape[0], x0.shape[2]), n1, 3) + 1].sum(0)
    v2 = v2_0
    v3 = F.pad(x0, (2, 3), mode='circular')
    v4, v5, v6 = torch.unique(v3, return_inverse=True, return_counts=True)
    return (v2, v6)
reference = program
example = (torch.zeros([3, 2, 4], dtype=torch.float32), 3)
a = torch.export.Dim('a', min=2)
dynamic_shapes = (({0: a, 2: a + 1}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1):
        v2_0 = x0 + x0[::max(min(x0.shape[0], x0.shape[2]), n1, 3) + 1].sum(0)
        v2 = v2_0
        return (x0, v2)

class Part1(torch.nn.Module):

    def forward(self, x0, v2):
        v3 = F.pad(x0, (2, 3), mode='circular')
        v4, v5, v6 = torch.unique(v3, return_inverse=True, return_counts=True)
        return (v2, v6)

class Part2(torch.nn.Module):

    def forward(self, v2, v6):
        return (v2, v6)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, n1] = args
        [x0, v2] = self.part_0(x0, n1)
        self.steps()
        [v2, v6] = self.part_1(x0, v2)
        self.steps()
        result = self.part_2(v2, v6)
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
    ((torch.tensor([-3.0, -1.0, 2.0, -3.0, 3.0, 3.0, -3.0, -1.0, 3.0, 1.0, 2.0, 3.0, 2.0, -2.0, -2.0, 0.0, 2.0, 3.0, -1.0, -2.0, -1.0, 1.0, -1.0, -2.0], dtype=torch.float32).reshape((3, 2, 4)), 3, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
