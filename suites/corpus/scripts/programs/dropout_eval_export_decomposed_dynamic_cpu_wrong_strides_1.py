# programs, export_decomposed.dynamic on cpu: WRONG_STRIDES [0] other strides than eager's, and it is a view of an argument (got [462, 462, 21, 1], expected [924, 924, 42, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0):
    v1 = F.dropout(x0, 0.5, training=False)
    return (v1,)
reference = program
example = (torch.zeros(540, dtype=torch.float64).as_strided([3, 1, 10, 9], [180, 180, 18, 2], 0),)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.full((2771,), 0.0, dtype=torch.float64).as_strided((3, 1, 22, 21), (924, 924, 42, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
