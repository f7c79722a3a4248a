# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][1].size()[1] in the specified range satisfy the generated guard (((-1) + 4*L['args'][1].size()[1]) // L['args'][1].size()[1]) == 3.Specializations unexpectedly required
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4_ri, v4_zi, v4_ni = (x0 @ x2.T).chunk(3, dim=1)
    v4_rh, v4_zh, v4_nh = (x1 @ x3.T).chunk(3, dim=1)
    v4_r, v4_z = (torch.sigmoid(v4_ri + v4_rh), torch.sigmoid(v4_zi + v4_zh))
    v4_new = torch.tanh(v4_ni + v4_r * v4_nh)
    v4 = (1 - v4_z) * v4_new + v4_z * x1
    return (v4,)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([2, 9], dtype=torch.float32), torch.zeros([27, 2], dtype=torch.float32), torch.zeros([27, 9], dtype=torch.float32))
b = torch.export.Dim('b')
dynamic_shapes = (({}, {1: b}, {0: 3 * b}, {0: 3 * b, 1: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 2)), torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
