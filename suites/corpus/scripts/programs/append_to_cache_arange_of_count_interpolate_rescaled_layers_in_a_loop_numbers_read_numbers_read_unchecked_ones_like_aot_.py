# programs, aot_decomp.automatic on cpu: WRONG_STRIDES [7] other strides than eager's, and it keeps the memory format of an argument (got [32, 2, 32, 1], expected [32, 1, 32, 16])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5_n = x0.sum().item()
    torch._check(v5_n >= 0)
    v5 = torch.arange(v5_n, device=x0.device)
    v6 = torch.cat((x1, x1), dim=-2)
    v7 = torch.ones_like(x0, dtype=torch.bool)
    v8_a = x3[:1].amax().item()
    v8_b = x3[:2].amax().item()
    v8_c = x3[:3].amax().item()
    v8_d = x3[:4].amax().item()
    v8_0 = x2 + torch.cat((torch.ones(v8_a, device=x2.device), torch.ones(v8_b, device=x2.device))).sum()
    v8_1 = v8_0 * v8_a + v8_b
    v8_2 = v8_1 + torch.ones(v8_a, v8_b, device=v8_1.device).sum()
    v8 = v8_2
    v9_a, v9_b, v9_c, v9_d = [one.item() for one in x3.sort().values.unbind()]
    torch._check(v9_a >= 0)
    torch._check(v9_a <= v9_b)
    torch._check(v9_b <= v9_c)
    torch._check(v9_c <= v9_d)
    torch._check(v9_d <= 8)
    v9_0 = x2 + torch.arange(9, device=x2.device).narrow(0, v9_a, v9_b - v9_a).sum()
    v9_1 = v9_0 * v9_a + v9_b
    v9 = v9_1
    v10_y = v8
    for v10_i, v10_f in enumerate((torch.sin, torch.tanh, torch.neg)):
        v10_y = v10_f(v10_y) + v10_i
    v10 = v10_y
    v11 = F.interpolate(x1, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
    return (v5, v6, v7, v9, v10, v11, x4)
from torch import Tensor

def differentiated(function):

    def with_gradients(*args):
        leaves = [arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg for arg in args]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return (*(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found)
    return with_gradients
reference = differentiated(program)
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([False, False, False, False, False, True, True, False, True, False, True, False, False, True, False, False, False, True, True, True], dtype=torch.bool), torch.full((512,), 0.0, dtype=torch.float64).as_strided((16, 16, 1, 2), (32, 1, 32, 16)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((3,), (2,)), torch.tensor([6, 2, 6, 0], dtype=torch.int64), torch.tensor([0.5875699520111084, -1.6286910772323608], dtype=torch.float32), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
