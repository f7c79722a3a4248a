# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[2] in the specified range satisfy the generated guard ((2 + math.floor(L['args'][0].size()[2] / 2)) % 9) >= 2.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0, n1):
    v2_0 = x0 + torch.arange((math.floor(x0.shape[2] / 2) + n1) % 9, device=x0.device).sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros(8, dtype=torch.float32).as_strided([2, 2, 2], [1, 2, 4], 0), 2)
a = torch.export.Dim('a')
dynamic_shapes = (({2: a}, None),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([-1.0186100006103516, -0.10115424543619156, -2.6700141429901123, 0.79859459400177, 0.9605156779289246, -0.07620228826999664, 0.21014012396335602, 0.8942863941192627], dtype=torch.float32).as_strided((2, 2, 2), (1, 2, 4)), 2, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
