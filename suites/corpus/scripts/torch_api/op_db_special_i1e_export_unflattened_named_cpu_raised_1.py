# torch_api, export_unflattened.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(u0, 0) (unhinted: Ne(u0, 0)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.special.i1e(x0)
    v1 = v0.new_empty([x1])
    v2 = torch.special.i1e(x0, out=v1)
    return parts(v2)
reference = program
example = (torch.zeros([], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        v0 = torch.special.i1e(x0)
        return (x0, x1, v0)

class Part1(torch.nn.Module):

    def forward(self, x0, x1, v0):
        v1 = v0.new_empty([x1])
        return (x0, v1)

class Part2(torch.nn.Module):

    def forward(self, x0, v1):
        v2 = torch.special.i1e(x0, out=v1)
        return (v2,)

class Part3(torch.nn.Module):

    def forward(self, v2):
        return parts(v2)

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
        [x0, x1, v0] = self.part_0(x0, x1)
        self.steps()
        [x0, v1] = self.part_1(x0, x1, v0)
        self.steps()
        [v2] = self.part_2(x0, v1)
        self.steps()
        result = self.part_3(v2)
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
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape(()), torch.tensor([0], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
