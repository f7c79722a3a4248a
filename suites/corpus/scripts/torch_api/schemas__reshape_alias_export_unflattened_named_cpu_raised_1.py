# torch_api, export_unflattened.named on cpu: RAISED RuntimeError: Runtime assertion failed for expression Eq(s50*s69*u0, 1) on node 'eq'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten._reshape_alias.default(v0, [1], [x1])
    return parts(v1)
reference = program
example = (torch.zeros([5, 9, 9], dtype=torch.float32), torch.zeros([], dtype=torch.int64), torch.zeros([5], dtype=torch.bool))
b = torch.export.Dim('b')
dynamic_shapes = (({1: b, 2: b}, {}, {}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):
        v0 = x0[x2]
        return (x1, v0)

class Part1(torch.nn.Module):

    def forward(self, x1, v0):
        v1 = torch.ops.aten._reshape_alias.default(v0, [1], [x1])
        return (v1,)

class Part2(torch.nn.Module):

    def forward(self, v1):
        return parts(v1)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, x2] = args
        [x1, v0] = self.part_0(x0, x1, x2)
        self.steps()
        [v1] = self.part_1(x1, v0)
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
    ((torch.tensor([], dtype=torch.float32).reshape((5, 0, 0)), torch.tensor([1], dtype=torch.int64).reshape(()), torch.tensor([False, True, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
