# torch_api, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a + 3, …)! - You marked a + 3 as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    return parts(v0)
reference = program
example = (torch.zeros([3, 2, 1], dtype=torch.float32), torch.zeros([3], dtype=torch.bool))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a + 3, 1: b, 2: c}, {0: a + 3}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        v0 = x0[x1]
        return (v0,)

class Part1(torch.nn.Module):

    def forward(self, v0):
        return parts(v0)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()

    def forward(self, *args):
        [x0, x1] = args
        [v0] = self.part_0(x0, x1)
        self.steps()
        result = self.part_1(v0)
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
    ((torch.tensor([], dtype=torch.float32).reshape((3, 0, 0)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
