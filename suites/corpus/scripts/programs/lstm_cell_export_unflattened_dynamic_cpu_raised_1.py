# programs, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][1].size()[1], …)! - You marked L['args'][1].size()[1] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4, v5 = torch.lstm_cell(x3, (x0, x0), x1, x2)
    return (v4,)
reference = program
example = (torch.zeros([9, 2], dtype=torch.float32), torch.zeros([8, 9], dtype=torch.float32), torch.zeros([8, 2], dtype=torch.float32), torch.zeros([9, 9], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC}, {}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v4, v5 = torch.lstm_cell(x3, (x0, x0), x1, x2)
        return (v4,)

class Part1(torch.nn.Module):

    def forward(self, v4):
        return (v4,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()

    def forward(self, *args):
        [x0, x1, x2, x3] = args
        [v4] = self.part_0(x0, x1, x2, x3)
        self.steps()
        result = self.part_1(v4)
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
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2)), torch.tensor([], dtype=torch.float32).reshape((8, 0)), torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((8, 2)), torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
