# programs, export_saved.auto on cpu: RAISED build raised SerializeError: Failed serializing node ceil in graph: %ceil : [num_users=1] = call_function[target=math.ceil](args = (%rshift,), kwargs = {})
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, n1):
    v2 = F.interpolate(x0, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
    v3_0 = v2.masked_fill(v2 > 0, math.ceil(v2.shape[2] >> 1))
    v3_1 = F.layer_norm(v3_0, v3_0.shape[-1:], eps=abs(n1) + 0.01)
    v3 = v3_1
    return (v3,)
reference = program
example = (torch.zeros(80, dtype=torch.float32).as_strided([2, 2, 10, 2], [20, 40, 2, 1], 0), 31)
dynamic_shapes = (({2: torch.export.Dim.AUTO}, None),)

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
    ((torch.tensor([1.0135130882263184, -0.08167631924152374, -1.6614421606063843, -1.785923957824707, 1.307917594909668, 0.35297781229019165, 0.38005387783050537, -2.462947368621826, -0.5047811269760132, -2.50319504737854, -0.5087661743164062, -0.07429756969213486, 0.24748100340366364, 1.0548229217529297, -0.18688586354255676, 0.5808700323104858, -0.5571045279502869, 0.9941195249557495, -0.5854092240333557, 0.7657257914543152, 0.5292248129844666, 0.08116839826107025, 0.5929269194602966, 0.9566625952720642], dtype=torch.float32).as_strided((2, 2, 3, 2), (6, 12, 2, 1)), 31, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
