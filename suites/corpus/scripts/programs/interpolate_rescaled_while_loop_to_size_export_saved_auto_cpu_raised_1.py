# programs, export_saved.auto on cpu: RAISED AssertionError: Guard failed: max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[3]))) < max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[2]))) * max(1, math.trunc(1.5 * torch.sym_float(args_0.size()[3])))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
    v2_x = v1.clone(memory_format=torch.contiguous_format)
    v2 = torch._higher_order_ops.while_loop(lambda i, part: i < v1.shape[0], lambda i, part: (i + 1, part * 0.5 + i), (torch.zeros((), dtype=torch.int64, device=v1.device), v2_x))[1]
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 10, 10], dtype=torch.float32),)
dynamic_shapes = (({2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO},),)

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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
