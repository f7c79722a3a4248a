# programs, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][1].size()[0])! - You marked L['args'][1].size()[0] as dynamic but your code specialized it to be a constant (13). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If y
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = torch.isin(x0, x1, invert=False)
    v5 = torch.expm1(v4)
    v6_parts = []
    for v6_part in x1.split(4):
        v6_parts.append(v6_part * 2)
    v6 = torch.cat(v6_parts)
    v7 = F.adaptive_avg_pool1d(x2, x3.shape[-1])
    return (v5, v6, v7)
reference = program
example = (torch.zeros([9, 9, 9], dtype=torch.bfloat16), torch.zeros([13], dtype=torch.bfloat16), torch.zeros([3, 13, 4], dtype=torch.float16), torch.zeros([3, 13, 3], dtype=torch.float16))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v4 = torch.isin(x0, x1, invert=False)
        v5 = torch.expm1(v4)
        return (x1, x2, x3, v5)

class Part1(torch.nn.Module):

    def forward(self, x1, x2, x3, v5):
        v6_parts = []
        for v6_part in x1.split(4):
            v6_parts.append(v6_part * 2)
        return (x2, x3, v5, v6_parts)

class Part2(torch.nn.Module):

    def forward(self, x2, x3, v5, v6_parts):
        v6 = torch.cat(v6_parts)
        v7 = F.adaptive_avg_pool1d(x2, x3.shape[-1])
        return (v5, v6, v7)

class Part3(torch.nn.Module):

    def forward(self, v5, v6, v7):
        return (v5, v6, v7)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1, x2, x3] = args
        [x1, x2, x3, v5] = self.part_0(x0, x1, x2, x3)
        self.steps()
        [x2, x3, v5, v6_parts] = self.part_1(x1, x2, x3, v5)
        self.steps()
        [v5, v6, v7] = self.part_2(x2, x3, v5, v6_parts)
        self.steps()
        result = self.part_3(v5, v6, v7)
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
    ((torch.randn(512, generator=G).to(torch.bfloat16).reshape((8, 8, 8)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16), torch.randn(1530, generator=G).to(torch.float16).reshape((9, 17, 10)), torch.randn(459, generator=G).to(torch.float16).reshape((9, 17, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
