# torch_api, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (b, …)! - Not all values of b = L['args'][0].size()[2] in the specified range 5 <= b satisfy the generated guard math.trunc(0.5*torch.sym_float(L['args'][0].size()[2])) == 4.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.fractional_max_pool2d(x0, (4, 4), output_ratio=(0.5, 0.5))
    return parts(v0)
reference = program
example = (torch.zeros([1, 2, 9, 5], dtype=torch.float32),)
b = torch.export.Dim('b', min=5)
c = torch.export.Dim('c', min=5)
dynamic_shapes = (({2: b, 3: c},),)

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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(50, generator=G).to(torch.float32).reshape((1, 2, 5, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
