# programs, export_decomposed.named on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [24, 1, 8, 2], expected [24, 12, 4, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, size=(3, 4), mode='bicubic', align_corners=False)
    return (v1,)
reference = program
example = (torch.zeros(16, dtype=torch.float32).as_strided([2, 2, 2, 2], [8, 1, 4, 2], 0),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([-172.87930297851562, -84.9778060913086, 53.07053756713867, 157.86134338378906, 133.96261596679688, -36.935420989990234, -83.1753158569336, 68.51900482177734, -4.228592395782471, -76.4119873046875, 114.7034912109375, -63.44973373413086, -19.93601417541504, -17.78021812438965, -3.8704662322998047, 70.96243286132812], dtype=torch.float32).as_strided((2, 2, 2, 2), (8, 1, 4, 2)), ), {}),
    ((torch.tensor([2.0, 3.0, 0.0, 2.0, 2.0, -3.0, -2.0, 2.0, 2.0, 1.0, 2.0, -3.0, 1.0, -3.0, 0.0, -3.0], dtype=torch.float32).reshape((2, 2, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
