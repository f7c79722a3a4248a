# programs, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[1])! - You marked L['args'][0].size()[1] as dynamic but your code specialized it to be a constant (7). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If yo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = torch.cat((x0, x1), dim=-2)[..., -8:, :]
    v6 = F.scaled_dot_product_attention(x2, x3, x4, scale=1.0)
    v7 = x1.sqrt_()
    return (v5, v6)
reference = program
example = (torch.zeros(169, dtype=torch.float32).as_strided([8, 7, 3], [21, 3, 1], 1), torch.zeros([8, 1, 3], dtype=torch.float32), torch.zeros(588, dtype=torch.float64).as_strided([7, 4, 3, 7], [1, 7, 28, 84], 0), torch.zeros(784, dtype=torch.float64).as_strided([7, 4, 4, 7], [112, 1, 28, 4], 0), torch.zeros(336, dtype=torch.float64).as_strided([7, 4, 4, 3], [1, 7, 28, 112], 0))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3, x4):
        v5 = torch.cat((x0, x1), dim=-2)[..., -8:, :]
        return (x1, x2, x3, x4, v5)

class Part1(torch.nn.Module):

    def forward(self, x1, x2, x3, x4, v5):
        v6 = F.scaled_dot_product_attention(x2, x3, x4, scale=1.0)
        return (x1, v5, v6)

class Part2(torch.nn.Module):

    def forward(self, x1, v5, v6):
        v7 = x1.sqrt_()
        return (v5, v6)

class Part3(torch.nn.Module):

    def forward(self, v5, v6):
        return (v5, v6)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1, x2, x3, x4] = args
        [x1, x2, x3, x4, v5] = self.part_0(x0, x1, x2, x3, x4)
        self.steps()
        [x1, v5, v6] = self.part_1(x1, x2, x3, x4, v5)
        self.steps()
        [v5, v6] = self.part_2(x1, v5, v6)
        self.steps()
        result = self.part_3(v5, v6)
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
    ((torch.randn(918, generator=G).to(torch.float32).reshape((18, 17, 3)), torch.randn(54, generator=G).to(torch.float32).reshape((18, 1, 3)), torch.randn(1734, generator=G).to(torch.float64).as_strided((17, 3, 2, 17), (1, 17, 51, 102)), torch.full((3468,), 0.0, dtype=torch.float64).as_strided((17, 3, 4, 17), (204, 1, 51, 3)), torch.randn(408, generator=G).to(torch.float64).as_strided((17, 3, 4, 2), (1, 17, 51, 204)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
