# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard (0.01 + abs(torch.sym_float(L['args'][0].size()[0]))) == 10.01.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, s1, x2):
    v3_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(x0.shape[0] + s1) + 0.01)
    v3 = v3_0
    v3[-1] = x2 + 1
    v4 = v3
    return (v4,)
reference = program
example = (torch.zeros([10, 11], dtype=torch.float32), 0.0, torch.zeros([11], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a + 1}, None, {0: a + 1}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2)), 0.0, torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
