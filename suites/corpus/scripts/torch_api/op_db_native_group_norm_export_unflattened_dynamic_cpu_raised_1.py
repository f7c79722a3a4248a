# torch_api, export_unflattened.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression zuf0 (unhinted: zuf0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.native_group_norm(x0, x1, x2, 2, 6, 2, 2, v0)
    return parts(v1)
reference = program
example = (torch.zeros([1, 12, 2], dtype=torch.float32), torch.zeros([6], dtype=torch.float32), torch.zeros([6], dtype=torch.float32), torch.zeros([], dtype=torch.float64))
dynamic_shapes = None

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v0 = x3.item()
        return (x0, x1, x2, v0)

class Part1(torch.nn.Module):

    def forward(self, x0, x1, x2, v0):
        v1 = torch.native_group_norm(x0, x1, x2, 2, 6, 2, 2, v0)
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
        [x0, x1, x2, x3] = args
        [x0, x1, x2, v0] = self.part_0(x0, x1, x2, x3)
        self.steps()
        [v1] = self.part_1(x0, x1, x2, v0)
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
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).reshape((1, 12, 2)), torch.tensor([0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32), torch.tensor([-1.2904350757598877, -0.7911027073860168, -0.02087947353720665, -0.7184800505638123, 0.5186367630958557, -1.3125219345092773], dtype=torch.float32), torch.tensor([0.5], dtype=torch.float64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
