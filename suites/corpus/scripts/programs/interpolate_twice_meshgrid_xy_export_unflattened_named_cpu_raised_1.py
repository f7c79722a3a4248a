# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it wi
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3, v4 = torch.meshgrid(x0, x1, indexing='xy')
    v5 = F.interpolate(x2, scale_factor=2, mode='area')
    return (v4, v5)
reference = program
example = (torch.zeros([2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([1, 1, 1, 1], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a + 1}, {}, {0: a, 1: b, 2: a, 3: b}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):
        v3, v4 = torch.meshgrid(x0, x1, indexing='xy')
        return (x2, v4)

class Part1(torch.nn.Module):

    def forward(self, x2, v4):
        v5 = F.interpolate(x2, scale_factor=2, mode='area')
        return (v4, v5)

class Part2(torch.nn.Module):

    def forward(self, v4, v5):
        return (v4, v5)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, x2] = args
        [x2, v4] = self.part_0(x0, x1, x2)
        self.steps()
        [v4, v5] = self.part_1(x2, v4)
        self.steps()
        result = self.part_2(v4, v5)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32), torch.tensor([-1.0845223665237427], dtype=torch.float32).reshape((1, 1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
