# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with e
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_rows, v2_columns = torch.triu_indices(x0.shape[-1], x0.shape[-1], int(False), device=x0.device)
    v2 = (x0[..., :, None] - x0[..., None, :])[..., v2_rows, v2_columns]
    v3, v4, v5 = x1.tensor_split(3, 0)
    return (v2, v5)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32), torch.zeros([12, 2, 2, 2], dtype=torch.int32))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({1: a}, {0: b}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        v2_rows, v2_columns = torch.triu_indices(x0.shape[-1], x0.shape[-1], int(False), device=x0.device)
        return (x0, x1, v2_rows, v2_columns)

class Part1(torch.nn.Module):

    def forward(self, x0, x1, v2_rows, v2_columns):
        v2 = (x0[..., :, None] - x0[..., None, :])[..., v2_rows, v2_columns]
        return (x1, v2)

class Part2(torch.nn.Module):

    def forward(self, x1, v2):
        v3, v4, v5 = x1.tensor_split(3, 0)
        return (v2, v5)

class Part3(torch.nn.Module):

    def forward(self, v2, v5):
        return (v2, v5)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1] = args
        [x0, x1, v2_rows, v2_columns] = self.part_0(x0, x1)
        self.steps()
        [x1, v2] = self.part_1(x0, x1, v2_rows, v2_columns)
        self.steps()
        [v2, v5] = self.part_2(x1, v2)
        self.steps()
        result = self.part_3(v2, v5)
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
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.int32).reshape((0, 2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
