# programs, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: 0 <= (a) + ((-1)*min((a), (a) | 2))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, s2):
    v3_0 = x0 + x0.narrow(0, 0, min(x0.shape[0] | n1, x0.shape[0])).sum(0)
    v3_1 = v3_0 + torch.linspace(0, s2, 3, device=v3_0.device).sum().to(v3_0.dtype)
    v3 = v3_1
    return (v3,)
reference = program
example = (torch.zeros([2], dtype=torch.float32), 2, 1.0)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, None, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1, s2):
        v3_0 = x0 + x0.narrow(0, 0, min(x0.shape[0] | n1, x0.shape[0])).sum(0)
        return (s2, v3_0)

class Part1(torch.nn.Module):

    def forward(self, s2, v3_0):
        v3_1 = v3_0 + torch.linspace(0, s2, 3, device=v3_0.device).sum().to(v3_0.dtype)
        return (v3_1,)

class Part2(torch.nn.Module):

    def forward(self, v3_1):
        v3 = v3_1
        return (v3,)

class Part3(torch.nn.Module):

    def forward(self, v3):
        return (v3,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, n1, s2] = args
        [s2, v3_0] = self.part_0(x0, n1, s2)
        self.steps()
        [v3_1] = self.part_1(s2, v3_0)
        self.steps()
        [v3] = self.part_2(v3_1)
        self.steps()
        result = self.part_3(v3)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), 2, 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
