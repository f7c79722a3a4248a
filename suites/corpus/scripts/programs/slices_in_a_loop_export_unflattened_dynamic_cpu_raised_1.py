# programs, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0])! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If yo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_parts = [x0[:0]]
    for v1_i in range(0, x0.shape[0], 8):
        v1_parts.append(x0[v1_i:v1_i + 8] + v1_i)
    v1 = torch.cat(v1_parts)
    return (v1,)
reference = program
example = (torch.zeros([9], dtype=torch.int32),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):
        v1_parts = [x0[:0]]
        return (x0, v1_parts)

class Part1(torch.nn.Module):

    def forward(self, x0, v1_parts):
        for v1_i in range(0, x0.shape[0], 8):
            v1_parts.append(x0[v1_i:v1_i + 8] + v1_i)
        return (v1_parts,)

class Part2(torch.nn.Module):

    def forward(self, v1_parts):
        v1 = torch.cat(v1_parts)
        return (v1,)

class Part3(torch.nn.Module):

    def forward(self, v1):
        return (v1,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0] = args
        [x0, v1_parts] = self.part_0(x0)
        self.steps()
        [v1_parts] = self.part_1(x0, v1_parts)
        self.steps()
        [v1] = self.part_2(v1_parts)
        self.steps()
        result = self.part_3(v1)
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
    ((torch.tensor([], dtype=torch.int32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
