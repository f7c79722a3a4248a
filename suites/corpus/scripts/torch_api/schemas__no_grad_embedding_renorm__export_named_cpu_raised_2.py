# torch_api, export.named on cpu: RAISED build raised RuntimeError: aten::_no_grad_embedding_renorm_() Expected a value of type 'float' for argument 'norm_type' but instead found type 'SymFloat'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x2.item()
    v1 = torch.ops.aten._no_grad_embedding_renorm_.default(x0, x1, 0.5, v0)
    return parts(v1)
reference = program
example = (torch.zeros([8, 9], dtype=torch.float32), torch.zeros([5], dtype=torch.int64), torch.zeros([], dtype=torch.float64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: b}, {0: c}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(80, generator=G).to(torch.float32).reshape((16, 5)), torch.tensor([1, 5, 12, 8, 8, 2, 5, 13, 10, 8, 3, 9, 3, 5, 2, 2, 6, 8, 11, 10, 14, 9, 9, 12, 3, 12, 2, 3, 13], dtype=torch.int64), torch.tensor([0.5], dtype=torch.float64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
