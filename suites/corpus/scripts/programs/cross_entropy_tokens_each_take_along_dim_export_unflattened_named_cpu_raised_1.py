# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min((a), (a)*(a)) == (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.cross_entropy(x0.flatten(0, 1), x1.flatten(), reduction='none')
    v4 = torch.take_along_dim(v3, x2, -1)
    return (v4,)
reference = program
example = (torch.zeros(1000, dtype=torch.float16).as_strided([10, 10, 10], [0, 10, 1], 0), torch.zeros(100, dtype=torch.int64).as_strided([10, 10], [1, 10], 0), torch.zeros([12], dtype=torch.int64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: a, 2: a}, {0: a, 1: a}, {0: b}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):
        v3 = F.cross_entropy(x0.flatten(0, 1), x1.flatten(), reduction='none')
        return (x2, v3)

class Part1(torch.nn.Module):

    def forward(self, x2, v3):
        v4 = torch.take_along_dim(v3, x2, -1)
        return (v4,)

class Part2(torch.nn.Module):

    def forward(self, v4):
        return (v4,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, x2] = args
        [x2, v3] = self.part_0(x0, x1, x2)
        self.steps()
        [v4] = self.part_1(x2, v3)
        self.steps()
        result = self.part_2(v4)
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
    ((torch.tensor([0.6865234375, 0.181396484375, -0.85302734375, 1.0478515625, -0.7861328125, 0.99169921875, 0.8125, -0.25390625, 1.169921875], dtype=torch.float16).as_strided((3, 3, 3), (0, 3, 1)), torch.tensor([0, 0, 0, 0, 0, 2, 0, 2, 2], dtype=torch.int64).as_strided((3, 3), (1, 3)), torch.tensor([2, 2, 8, 1, 1, 4, 7, 7, 5], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
