# torch_api, export_decomposed.named on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [1, 2], expected [3, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.nn.functional.conv_transpose1d(x0, v0)
    v2 = v1.contiguous()
    return parts(v2)
reference = program
example = (torch.zeros([2, 2], dtype=torch.float32), torch.zeros(20, dtype=torch.float32).as_strided([5, 2, 2], [1, 5, 10], 0), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([-0.35612836480140686, 0.16645534336566925, -0.6135830879211426, 0.6180566549301147, -0.10230965167284012, 0.4913049638271332, -0.14347384870052338, -0.4926769733428955, -0.8410648107528687, -0.28966769576072693, 0.4372227191925049, 0.8743818402290344, 0.03159274160861969, -0.41280221939086914, 0.7924439907073975, -0.20410172641277313, -0.1116093322634697, 0.2484147548675537, -2.316041946411133, 0.05250748619437218], dtype=torch.float32).as_strided((5, 2, 2), (1, 5, 10)), torch.tensor([True, False, False, False, True], dtype=torch.bool), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
