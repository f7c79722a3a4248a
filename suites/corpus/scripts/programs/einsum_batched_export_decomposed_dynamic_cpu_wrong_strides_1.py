# programs, export_decomposed.dynamic on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [2, 1, 1], expected [1, 2, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1):
    v2 = torch.einsum('bij,bkj->bik', x0, x1)
    return (v2,)
reference = program
example = (torch.zeros(351, dtype=torch.float32).as_strided([9, 13, 3], [3, 27, 1], 0), torch.zeros(325, dtype=torch.float32).as_strided([9, 12, 3], [36, 3, 1], 1))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.3933124542236328, -0.7530640959739685, -1.3882124423980713, -0.4588593542575836], dtype=torch.float32).as_strided((2, 2, 1), (1, 2, 1)), torch.tensor([3.0, 0.0], dtype=torch.float32).reshape((2, 1, 1)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
