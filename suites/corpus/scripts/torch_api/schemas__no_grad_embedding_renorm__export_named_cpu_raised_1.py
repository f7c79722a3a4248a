# torch_api, export.named on cpu: RAISED build raised RuntimeError: aten::_no_grad_embedding_renorm_() Expected a value of type 'float' for argument 'max_norm' but instead found type 'SymFloat'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x2.item()
    v1 = torch.ops.aten._no_grad_embedding_renorm_.default(x0, x1, v0, 0.5)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros([2], dtype=torch.int64), torch.zeros([], dtype=torch.float64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1, 1], dtype=torch.int64), torch.tensor([0.5], dtype=torch.float64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
