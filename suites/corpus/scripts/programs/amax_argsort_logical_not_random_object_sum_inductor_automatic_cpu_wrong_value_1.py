# programs, inductor.automatic on cpu: WRONG_VALUE [4] an element is off by more than its terms and eager's error allow (rmse 8.99e+34, eager_rmse 1.2e-08, excess 2.92e+40, worst_error 8.99e+34, worst_allowed 4.49e-06, worst_index 0, allowed 3.07e-06, got -8.98859e+34, expected 0.844422)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import random

def program(x0, x1):
    v2 = x0.amax((0,), keepdim=False)
    v3 = v2.logical_not()
    v4 = x0.argsort(dim=-1, descending=False, stable=True)
    v5 = x1.sum((0, 1), keepdim=True)
    v6_r = random.Random(0)
    v6_y = v5 * v6_r.random()
    v6_z = v6_r.randint(1, 9)
    v6 = v6_y + v6_z
    return (v3, v4, v6)
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
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
implementation = compiled
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([2.125, 0.56640625, 0.83984375, 0.58984375, 0.04052734375, -0.294921875, 0.4609375, 0.294921875, -2.171875, -0.45703125, -2.359375, 2.453125, 1.78125, 1.1484375, 0.7890625, 0.55859375, -2.125, 1.03125, -0.83984375, 0.0196533203125, 0.53125, 0.609375, -1.015625, -0.46484375, -0.75390625, -0.0986328125, -1.21875, 0.2099609375, 0.734375, -1.6328125, -0.0260009765625, 0.17578125], dtype=torch.bfloat16), torch.full((56,), 0.0, dtype=torch.float32).as_strided((7, 8), (1, 7)), ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
