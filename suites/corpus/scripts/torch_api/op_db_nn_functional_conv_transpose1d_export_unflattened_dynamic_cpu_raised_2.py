# torch_api, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][1].size()[2])! - You marked L['args'][1].size()[2] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If y
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.conv_transpose1d(x0, x1, stride=2, padding=1, output_padding=1)
    return parts(v0)
reference = program
example = (torch.zeros([1, 1], dtype=torch.complex64), torch.zeros([1, 3, 2], dtype=torch.complex64))
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        v0 = torch.nn.functional.conv_transpose1d(x0, x1, stride=2, padding=1, output_padding=1)
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
    ((torch.tensor([(1.5409960746765137-0.293428897857666j)], dtype=torch.complex64).reshape((1, 1)), torch.tensor([(-2.1787893772125244+0.5684312582015991j)], dtype=torch.complex64).reshape((1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
