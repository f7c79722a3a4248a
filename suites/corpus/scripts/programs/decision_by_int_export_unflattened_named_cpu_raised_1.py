# programs, export_unflattened.named on cpu: RAISED AssertionError: Guard failed: 3 + -1 * ((1 + math.floor(args_0.size()[1] / 2)) % 3) + (1 + math.floor(args_0.size()[1] / 2)) % 8 >= 2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0, n1):
    v2_0 = x0 + torch.arange((math.floor(x0.shape[1] / 2) + n1) % 3, (math.floor(x0.shape[1] / 2) + n1) % 8 + 3, device=x0.device).sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 10], dtype=torch.float32), 1)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a + 1}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1):
        v2_0 = x0 + torch.arange((math.floor(x0.shape[1] / 2) + n1) % 3, (math.floor(x0.shape[1] / 2) + n1) % 8 + 3, device=x0.device).sum()
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
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, -0.6135830879211426, 0.03159274160861969, -0.4926769733428955, 0.2484147548675537, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133, -0.10230965167284012, 0.7924439907073975, -0.28966769576072693, 0.05250748619437218], dtype=torch.float32).reshape((2, 14)), 1, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
