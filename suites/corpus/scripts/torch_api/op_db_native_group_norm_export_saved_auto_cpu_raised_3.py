# torch_api, export_saved.auto on cpu: RAISED build raised RuntimeError: The size of tensor a (s50) must match the size of tensor b (6) at non-singleton dimension 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.native_group_norm(x0, x1, x2, x0.shape[1] // 6, 6, x0.shape[2], 2, 0.5)
    return parts(v0)
reference = program
example = (torch.zeros([1, 54, 8], dtype=torch.float32), torch.zeros([6], dtype=torch.float32), torch.zeros(12, dtype=torch.float32).as_strided([6], [2], 0))
dynamic_shapes = (({1: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}, {}, {}),)

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
    ((torch.randn(78, generator=G).to(torch.float32).reshape((1, 78, 1)), torch.tensor([-0.0, 0.19376318156719208, float("inf"), -0.0, -0.9810149669647217, 0.12670618295669556], dtype=torch.float32), torch.tensor([-1.1604740619659424, -1.1604740619659424, -0.48064687848091125, -0.48064687848091125, -0.44874757528305054, -0.44874757528305054, -0.28279054164886475, -0.28279054164886475, -0.04104141518473625, -0.04104141518473625, 0.06160413473844528], dtype=torch.float32).as_strided((6,), (2,)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
