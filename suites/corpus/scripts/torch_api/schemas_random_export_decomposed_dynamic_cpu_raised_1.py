# torch_api, export_decomposed.dynamic on cpu: RAISED build raised SyntaxError: invalid syntax (proxy_tensor.py:1738 in wrapped, line 5)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = getattr(torch.ops.aten.random, 'from')(x0, 1, None)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
