# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[3] in the specified range satisfy the generated guard (4 % (4*math.trunc(2.0*torch.sym_float(L['args'][0].size()[3])))) != 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=2.0, mode='bicubic', align_corners=False)
    v2 = F.fold(F.unfold(v1, 3, padding=1), v1.shape[-2:], 3, padding=1)
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 2, 10], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
