# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard (0.01 + abs(3.0 + torch.sym_float(3*L['args'][0].size()[0]))) == 27.01.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, s1, x2, n3):
    v4_0 = x0 * 2 if 4 == 1 > 1 else x0 + 1
    v4_1 = F.rms_norm(v4_0, v4_0.shape[-1:], eps=abs(x0.shape[1] * x0.shape[3] + s1) + 0.01)
    v4 = v4_1
    v5_n = (x2 == x2).to(torch.int64).cumprod(-1).sum(-1)
    v5 = x2.gather(1, v5_n.clamp(max=x2.shape[1] - 1).unsqueeze(1))
    v6 = v4[:min(n3, v4.shape[0])]
    v7 = x0.amax((0, 1, 2), keepdim=False)
    v8 = torch.sin(v4)
    return (v5, v6, v7, v8)
reference = program
example = (torch.zeros(3456, dtype=torch.float32).as_strided([8, 3, 9, 8], [432, 144, 16, 2], 0), 3.0, torch.zeros(176, dtype=torch.int64).as_strided([8, 22], [0, 1], 0), 0)
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a, 2: a + 1, 3: a}, None, {0: a, 1: b}, None),)

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
    ((torch.randn(3455, generator=G).to(torch.float32).as_strided((8, 3, 9, 8), (432, 144, 16, 2)), 3.0, torch.tensor([0, 2, 0, 0, 0, 1, 1, 3, 2], dtype=torch.int64).as_strided((8, 9), (0, 1)), 0, ), {}),
    ((torch.randn(3455, generator=G).to(torch.float32).as_strided((8, 3, 9, 8), (432, 144, 16, 2)), 3.0, torch.tensor([3, 3, 3, 2, 1, 2, 2, 0, 3], dtype=torch.int64).as_strided((8, 9), (0, 1)), 9, ), {}),
    ((torch.randn(2351, generator=G).to(torch.float32).as_strided((7, 3, 8, 7), (336, 112, 14, 2)), -1.0, torch.tensor([1, 0], dtype=torch.int64).as_strided((7, 2), (0, 1)), 7, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
