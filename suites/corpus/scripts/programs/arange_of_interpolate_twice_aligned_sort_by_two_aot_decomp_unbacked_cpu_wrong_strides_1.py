# programs, aot_decomp.unbacked on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [500, 100, 10, 1], expected [500, 1, 50, 5])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, n3):
    v4 = F.interpolate(x0, scale_factor=2.0, mode='bicubic', align_corners=False)
    v5_minor = x1.argsort(stable=True)
    v5 = v5_minor[x2[v5_minor].argsort(stable=True)]
    v6 = torch.arange(n3)
    return (v4, v5, v6)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a', 1: 'a', 2: 'a', 3: 'a'}, 1: {0: 'b'}, 2: {0: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(625, generator=G).to(torch.float64).as_strided((5, 5, 5, 5), (125, 1, 25, 5)), torch.tensor([-1.0278617143630981, 0.29474279284477234], dtype=torch.float64), torch.tensor([0.0, 0.0], dtype=torch.float32), 2, ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
