# programs, aot_decomp.dynamic on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [8, 4, 2, 1], expected [8, 1, 4, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1):
    v2 = x0.put(x1, x0, accumulate=True)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1, 0, 0, 0, 0, 255, 1, 255, 0, 0, 0, 0, 255, 0, 0, 127], dtype=torch.uint8).as_strided((2, 2, 2, 2), (8, 1, 4, 2)), torch.tensor([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=torch.int64).reshape((2, 2, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
