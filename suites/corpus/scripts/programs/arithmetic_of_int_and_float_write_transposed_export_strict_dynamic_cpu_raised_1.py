# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(torch.sym_float(7 + args_0.size()[0])) == 17.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1, s2):
    v3_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(x0.shape[0] + n1 + s2) + 0.01)
    v3 = v3_0
    v4_t = v3.transpose(0, -1)
    v4_t[1:].mul_(2)
    v4 = v3
    return (v4,)
reference = program
example = (torch.zeros(160, dtype=torch.float32).as_strided([10, 2, 2, 2], [16, 8, 4, 2], 0), 7, 0.0)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, None, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([48.334346771240234, 48.334346771240234, -209.6975860595703, -209.6975860595703, 15.938776969909668, 15.938776969909668, -128.86868286132812, -128.86868286132812, -26.590051651000977, -26.590051651000977, 61.60905838012695, 61.60905838012695, 9.717585563659668, 9.717585563659668, 40.300994873046875, 40.300994873046875, 75.83157348632812, 75.83157348632812, 36.456825256347656, 36.456825256347656, 162.37033081054688, 162.37033081054688, 17.30851173400879, 17.30851173400879, 116.14591217041016, 116.14591217041016, -24.91579246520996, -24.91579246520996, 37.604339599609375, 37.604339599609375, 69.84974670410156, 69.84974670410156, -115.30524444580078, -115.30524444580078, -145.47067260742188, -145.47067260742188, -45.84790802001953, -45.84790802001953, 6.558230400085449, 6.558230400085449, 67.61420440673828, 67.61420440673828, -171.76234436035156, -171.76234436035156, 3.1015093326568604, 3.1015093326568604, -33.16667556762695], dtype=torch.float32).as_strided((3, 2, 2, 2), (16, 8, 4, 2)), 7, 0.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
