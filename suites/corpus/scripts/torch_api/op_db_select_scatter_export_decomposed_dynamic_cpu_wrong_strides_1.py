# torch_api, export_decomposed.dynamic on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [2, 4, 1], expected [4, 2, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.select_scatter(x0, x1, -1, 1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.int64), torch.zeros(4, dtype=torch.int64).as_strided([2, 2], [1, 2], 0))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1], dtype=torch.int64).reshape((2, 2, 2)), torch.tensor([7, 5, 1, -4], dtype=torch.int64).as_strided((2, 2), (1, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
