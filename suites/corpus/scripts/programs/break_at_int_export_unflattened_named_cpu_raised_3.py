# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (19 % (a)) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0[:(x0.shape[1] | 2) + n1].sum(0)
    v2_1 = v2_0 + sum((v2_0 * i for i in range((1 >> n1 % 3) % 4)))
    v2_2 = v2_1 + v2_1[(round(2, 2) + 1 + n1) % v2_1.shape[0]:].sum(0)
    v2 = v2_2
    return (v2,)
reference = program
example = (torch.zeros([10, 2, 11], dtype=torch.float32), 16)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 2: a + 1}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1):
        v2_0 = x0 + x0[:(x0.shape[1] | 2) + n1].sum(0)
        v2_1 = v2_0 + sum((v2_0 * i for i in range((1 >> n1 % 3) % 4)))
        return (n1, v2_1)

class Part1(torch.nn.Module):

    def forward(self, n1, v2_1):
        v2_2 = v2_1 + v2_1[(round(2, 2) + 1 + n1) % v2_1.shape[0]:].sum(0)
        v2 = v2_2
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
        [x0, n1] = args
        [n1, v2_1] = self.part_0(x0, n1)
        self.steps()
        [v2] = self.part_1(n1, v2_1)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(420, generator=G).to(torch.float32).reshape((14, 2, 15)), 16, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
