# programs, export.collection on cpu: RAISED build raised UserError: Constraints violated (c)! - Not all values of c = L['args'][0].size()[0] in the specified range satisfy the generated guard math.trunc(1.5*torch.sym_float(1 + L['args'][0].size()[0])) < math.trunc(1.5*torch.sym_float(1 + L['args'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
    v2 = torch.any(v1, (2,), keepdim=False)
    v3 = v2[torch.randperm(v2.shape[0], device=v2.device)]
    return (v3,)
reference = program
example = (torch.zeros([3, 4, 4, 4], dtype=torch.float32),)
c = torch.export.Dim('c')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: c, 1: c + 1, 2: c + 1, 3: c + 1}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.full((54,), 0.0, dtype=torch.float32).reshape((2, 3, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
