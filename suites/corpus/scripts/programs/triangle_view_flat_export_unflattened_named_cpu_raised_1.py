# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard (L['args'][0].size()[0]*L['args'][0].size()[0]*L['args'][0].size()[0] + L['args'][0].size()[0]*L['args
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0.contiguous().view(x0.numel())
    v2_rows, v2_columns = torch.triu_indices(v1.shape[-1], v1.shape[-1], int(False), device=v1.device)
    v2 = (v1[..., :, None] - v1[..., None, :])[..., v2_rows, v2_columns]
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 3, 2], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a, 2: a + 1, 3: a},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):
        v1 = x0.contiguous().view(x0.numel())
        return (v1,)

class Part1(torch.nn.Module):

    def forward(self, v1):
        v2_rows, v2_columns = torch.triu_indices(v1.shape[-1], v1.shape[-1], int(False), device=v1.device)
        return (v1, v2_rows, v2_columns)

class Part2(torch.nn.Module):

    def forward(self, v1, v2_rows, v2_columns):
        v2 = (v1[..., :, None] - v1[..., None, :])[..., v2_rows, v2_columns]
        return (v2,)

class Part3(torch.nn.Module):

    def forward(self, v2):
        return (v2,)

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
        [v1] = self.part_0(x0)
        self.steps()
        [v1, v2_rows, v2_columns] = self.part_1(v1)
        self.steps()
        [v2] = self.part_2(v1, v2_rows, v2_columns)
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
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133], dtype=torch.float32).reshape((2, 2, 3, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
