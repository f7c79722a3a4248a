# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (5 % (a)) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, s1):
    v2_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs(s1 + s1) + 0.01)
    v2_1 = v2_0 + v2_0[5 % v2_0.shape[0]:].sum(0)
    v2 = v2_1
    return (v2,)
reference = program
example = (torch.zeros([11, 11, 2], dtype=torch.float32), 2.0)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, s1):
        v2_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs(s1 + s1) + 0.01)
        return (v2_0,)

class Part1(torch.nn.Module):

    def forward(self, v2_0):
        v2_1 = v2_0 + v2_0[5 % v2_0.shape[0]:].sum(0)
        return (v2_1,)

class Part2(torch.nn.Module):

    def forward(self, v2_1):
        v2 = v2_1
        return (v2,)

class Part3(torch.nn.Module):

    def forward(self, v2):
        return (v2,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, s1] = args
        [v2_0] = self.part_0(x0, s1)
        self.steps()
        [v2_1] = self.part_1(v2_0)
        self.steps()
        [v2] = self.part_2(v2_1)
        self.steps()
        result = self.part_3(v2)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(1458, generator=G).to(torch.float32).reshape((27, 27, 2)), 2.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
