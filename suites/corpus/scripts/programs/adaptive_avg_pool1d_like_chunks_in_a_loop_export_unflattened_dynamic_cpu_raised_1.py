# programs, export_unflattened.dynamic on cpu: RAISED AssertionError: Guard failed: (3 + args_1.size()[0]) // 4 == 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4_parts = []
    for v4_part in x1.split(4):
        v4_parts.append(v4_part * 2)
    v4 = torch.cat(v4_parts)
    v5 = F.adaptive_avg_pool1d(x2, x3.shape[-1])
    return (x0, v4, v5)
reference = program
example = (torch.zeros([2, 2, 21], dtype=torch.float32), torch.zeros([6], dtype=torch.float32), torch.zeros([2, 6, 2], dtype=torch.float32), torch.zeros([2, 6, 2], dtype=torch.float32))
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v4_parts = []
        for v4_part in x1.split(4):
            v4_parts.append(v4_part * 2)
        return (x0, x2, x3, v4_parts)

class Part1(torch.nn.Module):

    def forward(self, x0, x2, x3, v4_parts):
        v4 = torch.cat(v4_parts)
        v5 = F.adaptive_avg_pool1d(x2, x3.shape[-1])
        return (x0, v4, v5)

class Part2(torch.nn.Module):

    def forward(self, x0, v4, v5):
        return (x0, v4, v5)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, x2, x3] = args
        [x0, x2, x3, v4_parts] = self.part_0(x0, x1, x2, x3)
        self.steps()
        [x0, v4, v5] = self.part_1(x0, x2, x3, v4_parts)
        self.steps()
        result = self.part_2(x0, v4, v5)
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
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), torch.randn(64, generator=G).to(torch.float32).reshape((2, 16, 2)), torch.randn(64, generator=G).to(torch.float32).reshape((2, 16, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
