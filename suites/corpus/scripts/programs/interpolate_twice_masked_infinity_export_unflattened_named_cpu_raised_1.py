# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][0].size()[0] in the specified range satisfy the generated guard math.trunc(2.0*torch.sym_float(L['args'][0].size()[0])) == (2*L['args'][0].size()[0]).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.interpolate(x0, scale_factor=2, mode='bicubic')
    v3 = v2.masked_fill(x1, float('-inf'))
    return (v3,)
reference = program
example = (torch.zeros([8, 2, 8, 8], dtype=torch.float32), torch.zeros([8, 2, 16, 16], dtype=torch.bool))
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: b, 2: b, 3: b}, {0: b, 2: 2 * b, 3: 2 * b}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        v2 = F.interpolate(x0, scale_factor=2, mode='bicubic')
        return (x1, v2)

class Part1(torch.nn.Module):

    def forward(self, x1, v2):
        v3 = v2.masked_fill(x1, float('-inf'))
        return (v3,)

class Part2(torch.nn.Module):

    def forward(self, v3):
        return (v3,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1] = args
        [x1, v2] = self.part_0(x0, x1)
        self.steps()
        [v3] = self.part_1(x1, v2)
        self.steps()
        result = self.part_2(v3)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2, 1, 1)), torch.tensor([True, False, True, False, True, False, True, True], dtype=torch.bool).reshape((1, 2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
