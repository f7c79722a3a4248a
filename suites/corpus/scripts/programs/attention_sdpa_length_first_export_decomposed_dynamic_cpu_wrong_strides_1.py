# programs, export_decomposed.dynamic on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [9, 27, 3, 1], expected [18, 9, 3, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.scaled_dot_product_attention(x0.transpose(1, 2), x1.transpose(1, 2), x1.transpose(1, 2)).transpose(1, 2)
    return (v2,)
reference = program
example = (torch.zeros([3, 2, 3, 3], dtype=torch.float32), torch.zeros([3, 2, 3, 3], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(54, generator=G).to(torch.float32).reshape((3, 2, 3, 3)), torch.randn(54, generator=G).to(torch.float32).reshape((3, 2, 3, 3)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
