# torch_api, export_unflattened.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (a) == min((a), 1 + (a))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.linalg.lu_factor_ex(x0, pivot=True, check_errors=True)
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
example = (torch.zeros(144, dtype=torch.float32).as_strided([8, 9], [18, 2], 0),)
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: b},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):

        def loss(x0):
            return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
        return (x0, loss)

class Part1(torch.nn.Module):

    def forward(self, x0, loss):
        return torch.func.grad(loss, argnums=(0,))(x0)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()

    def forward(self, *args):
        [x0] = args
        [x0, loss] = self.part_0(x0)
        self.steps()
        result = self.part_1(x0, loss)
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
    ((torch.tensor([0.36554577946662903, 0.36554577946662903, 1.906460165977478, 1.906460165977478, 0.2168649137020111, 0.2168649137020111, 0.2963348627090454, 0.2963348627090454, -1.0159963369369507, -1.0159963369369507, -0.6064354181289673, -0.6064354181289673, 0.17441020905971527], dtype=torch.float32).as_strided((1, 7), (14, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
