# programs, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (2*a, …)! - You marked a as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it wit
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3_rows, v3_columns = torch.triu_indices(x0.shape[-1], x0.shape[-1], int(False), device=x0.device)
    v3 = (x0[..., :, None] - x0[..., None, :])[..., v3_rows, v3_columns]
    v4 = F.conv2d(x1, x2, stride=2).flatten(2).transpose(1, 2)
    return (v3, v4)
reference = program
example = (torch.zeros([2, 10], dtype=torch.int32), torch.zeros([2, 3, 2, 20], dtype=torch.float32), torch.zeros([2, 3, 2, 2], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({1: a}, {3: 2 * a}, {}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):
        v3_rows, v3_columns = torch.triu_indices(x0.shape[-1], x0.shape[-1], int(False), device=x0.device)
        return (x0, x1, x2, v3_rows, v3_columns)

class Part1(torch.nn.Module):

    def forward(self, x0, x1, x2, v3_rows, v3_columns):
        v3 = (x0[..., :, None] - x0[..., None, :])[..., v3_rows, v3_columns]
        return (x1, x2, v3)

class Part2(torch.nn.Module):

    def forward(self, x1, x2, v3):
        v4 = F.conv2d(x1, x2, stride=2).flatten(2).transpose(1, 2)
        return (v3, v4)

class Part3(torch.nn.Module):

    def forward(self, v3, v4):
        return (v3, v4)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()
        self.part_3 = Part3()

    def forward(self, *args):
        [x0, x1, x2] = args
        [x0, x1, x2, v3_rows, v3_columns] = self.part_0(x0, x1, x2)
        self.steps()
        [x1, x2, v3] = self.part_1(x0, x1, x2, v3_rows, v3_columns)
        self.steps()
        [v3, v4] = self.part_2(x1, x2, v3)
        self.steps()
        result = self.part_3(v3, v4)
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
    ((torch.tensor([0, -1], dtype=torch.int32).reshape((2, 1)), torch.tensor([-0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, -0.35612836480140686, 0.4372227191925049, 1.4436601400375366, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, -0.6135830879211426, 0.03159274160861969, 2.0049805641174316, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133, -0.10230965167284012, 0.7924439907073975], dtype=torch.float32).reshape((2, 3, 2, 2)), torch.tensor([0.5627213716506958, 0.25962740182876587, -0.17396099865436554, -0.678746223449707, 0.9382607340812683, 0.4888698160648346, -0.6730899214744568, 0.8728312253952026, 1.1108161211013794, 1.2898740768432617, -1.4781739711761475, 2.567232847213745, -0.4731197953224182, 0.3355507552623749, 1.5091218948364258, 2.0819554328918457, -0.47983425855636597, -0.4996815323829651, -1.0669803619384766, 1.114939570426941, -0.14067143201828003, 0.8057535886764526, 0.32761430740356445, -0.7607071995735168], dtype=torch.float32).reshape((2, 3, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
