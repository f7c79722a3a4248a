# programs, export_again.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0 + u1, 2) (unhinted: Eq(u0 + u1, 2)). (Size-like symbols: u0, u1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3, x4):
    v5 = torch.cat((x4[x0], x4[~x0]))
    v6, v7 = torch.lstm_cell(v5, (x1, x1), x2, x3)
    return (v6,)
reference = program
example = (torch.zeros([2], dtype=torch.bool), torch.zeros([2, 1], dtype=torch.float32), torch.zeros([4, 2], dtype=torch.float32), torch.zeros([4, 1], dtype=torch.float32), torch.zeros([2, 2], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([False, True], dtype=torch.bool), torch.tensor([-70.84394836425781, 131.0466766357422], dtype=torch.float32).reshape((2, 1)), torch.tensor([0.3557623028755188, -0.5648937821388245, 0.6656870245933533, 1.5211000442504883, 0.2986838221549988, -0.1867586225271225, 1.3794584274291992, -0.28957703709602356], dtype=torch.float32).reshape((4, 2)), torch.tensor([-0.26504284143447876, 0.45395809412002563, -0.6663042306900024, 0.5732727646827698], dtype=torch.float32).reshape((4, 1)), torch.tensor([0.774822473526001, 0.38895824551582336, 0.12277080863714218, 1.4513428211212158], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
