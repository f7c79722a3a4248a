# torch_api, inductor.dynamic+config on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [1, 2, 4], expected [4, 2, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.ops.aten.huber_loss_backward.default(x0, x1, x2, 1, 0.5)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([-1.5792261362075806, 9.99994610111476e-41, -0.33387696743011475, float("-inf"), float("-inf"), -2.100374698638916, -1.2321654558181763, -0.13093475997447968], dtype=torch.float64).reshape((2, 2, 2)), torch.tensor([9.99994610111476e-41, -0.47725558280944824, -0.0, 9.99994610111476e-41, 1.7607606649398804, -0.41662314534187317, 1.1374834775924683, float("inf")], dtype=torch.float64).as_strided((2, 2, 2), (1, 2, 4)), torch.tensor([-0.26310235261917114, -1.2628012895584106, 0.44651922583580017, -0.4059275984764099, -1.2814775705337524, 9.99994610111476e-41, float("inf"), -0.0], dtype=torch.float64).reshape((2, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
