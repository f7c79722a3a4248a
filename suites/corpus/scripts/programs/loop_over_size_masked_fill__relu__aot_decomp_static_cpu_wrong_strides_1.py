# programs, aot_decomp.static on cpu: WRONG_STRIDES [4] other strides than eager's, and it keeps the memory format of an argument (got [2, 1], expected [1, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1, x2, x3, x4):
    v5 = x0.masked_fill_(x1, 10.0)
    v6 = x0.relu_()
    v7_y = v6 * 1
    for v7_i in range(min(v6.shape[0], 3)):
        v7_y = v7_y + v6[v7_i]
    v7 = v7_y
    return (v5, x4, x3, x2, v7)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=False, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([-0.8452360033988953, 1.306839942932129, 0.39003267884254456, 1.6320750713348389], dtype=torch.float32).as_strided((2, 2), (1, 2)), torch.tensor([True, True], dtype=torch.bool), torch.tensor([0.7798039317131042, -0.4434680938720703, -0.2690516710281372, -0.15272794663906097], dtype=torch.float32).reshape((2, 2)), torch.tensor([9], dtype=torch.int64).reshape(()), torch.tensor([9, 7, -2, 4, -1, -3, 0, 7], dtype=torch.int32).reshape((2, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
