# programs, export_decomposed.dynamic on cpu: WRONG_STRIDES [3] other strides than eager's, and it is a view of an argument (got [462, 462, 21, 1], expected [924, 924, 42, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4_n = x0.sum().item()
    torch._check(v4_n >= 0)
    v4 = torch.arange(v4_n, device=x0.device)
    v5 = F.dropout(x1, 0.5, training=False)
    return (v4, x3, x2, v5)
reference = program
example = (torch.zeros(4, dtype=torch.bool).as_strided([2, 2], [1, 2], 0), torch.zeros(540, dtype=torch.float32).as_strided([3, 1, 10, 9], [180, 180, 18, 2], 0), torch.zeros([3, 1, 10, 3], dtype=torch.float64), torch.zeros([4, 12], dtype=torch.float32))
dynamic_shapes = (({}, {2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([False, False, True, True], dtype=torch.bool).as_strided((2, 2), (1, 2)), torch.full((2771,), 0.0, dtype=torch.float32).as_strided((3, 1, 22, 21), (924, 924, 42, 2)), torch.randn(198, generator=G).to(torch.float64).reshape((3, 1, 22, 3)), torch.randn(124, generator=G).to(torch.float32).reshape((4, 31)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
