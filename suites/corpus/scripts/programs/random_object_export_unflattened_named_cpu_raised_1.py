# programs, export_unflattened.named on cpu: RAISED build raised TypeError: The only supported seed types are: None,
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import random

def program(x0):
    v1_r = random.Random(x0.shape[0])
    v1_y = x0 * v1_r.random()
    v1_z = v1_r.randint(1, 9)
    v1 = v1_y + v1_z
    return (v1,)
reference = program
example = (torch.zeros([9], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):
        v1_r = random.Random(x0.shape[0])
        v1_y = x0 * v1_r.random()
        return (v1_r, v1_y)

class Part1(torch.nn.Module):

    def forward(self, v1_r, v1_y):
        v1_z = v1_r.randint(1, 9)
        v1 = v1_y + v1_z
        return (v1,)

class Part2(torch.nn.Module):

    def forward(self, v1):
        return (v1,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0] = args
        [v1_r, v1_y] = self.part_0(x0)
        self.steps()
        [v1] = self.part_1(v1_r, v1_y)
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

calls = [
    ((torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
