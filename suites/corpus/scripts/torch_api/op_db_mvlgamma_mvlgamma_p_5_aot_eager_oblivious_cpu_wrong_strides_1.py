# torch_api, aot_eager.oblivious on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [2, 1], expected [1, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = x0.mvlgamma_(2)
    v1 = torch.clone(v0)
    return parts(v1)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([0.7715845108032227, -0.15002357959747314, 0.878908097743988, 1.5377873182296753], dtype=torch.float32).as_strided((2, 2), (1, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
