# torch_api, export_decomposed.named on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [4, 2, 1], expected [2, 4, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = x0.triu_()
    v1 = torch.add(v0, 1)
    return parts(v1)
reference = program
example = (torch.zeros(8, dtype=torch.float32).as_strided([2, 2, 2], [2, 4, 1], 0),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -1.0845223665237427, -1.3985954523086548, -2.1787893772125244, 0.5684312582015991, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).as_strided((2, 2, 2), (2, 4, 1)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
