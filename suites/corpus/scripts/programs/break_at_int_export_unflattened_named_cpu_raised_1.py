# programs, export_unflattened.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[0] + -1 * (19 % args_0.size()[0]) == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0[(2 + 1 + n1) % x0.shape[0]:].sum(0)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([10, 2, 2], dtype=torch.float32), 16)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 1}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1):
        v2_0 = x0 + x0[(2 + 1 + n1) % x0.shape[0]:].sum(0)
        return (v2_0,)

class Part1(torch.nn.Module):

    def forward(self, v2_0):
        v2 = v2_0
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
        [v2_0] = self.part_0(x0, n1)
        self.steps()
        [v2] = self.part_1(v2_0)
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

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((3, 2, 2)), 16, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
