# programs, export_strict.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][1].size()[1], …)! - You marked L['args'][1].size()[1] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3, x4):
    v5 = torch.rnn_tanh_cell(x0, x1, x2, x3, x4, x4)
    return (v5,)
reference = program
example = (torch.zeros([2, 1], dtype=torch.float32), torch.zeros([2, 9], dtype=torch.float32), torch.zeros([9, 1], dtype=torch.float32), torch.zeros([9, 9], dtype=torch.float32), torch.zeros([9], dtype=torch.float32))
dynamic_shapes = (({}, {1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1)), torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
