# programs, inductor.oblivious on cpu: WRONG_VALUE [0] NaN where the reference has a finite number (wrong 2, elements 6, worst_index 4)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.scaled_dot_product_attention(x0, x0, x1, attn_mask=x2)
    v4 = F.normalize(x1, dim=2)
    return (v3, v4)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([24.56081199645996, -45.621456146240234, 48.454139709472656, 63.63108825683594, -8.346314430236816, 136.329345703125], dtype=torch.float32).reshape((1, 2, 3, 1)), torch.tensor([float("nan"), -0.650919497013092, 0.99128657579422, 0.6482189893722534, 1.0000000150474662e+30, -1.2659289836883545], dtype=torch.float32).as_strided((1, 2, 3, 1), (1, 1, 2, 6)), torch.tensor([True, False, True, False, True, False, False, True, True], dtype=torch.bool).reshape((3, 3)), ), {}),
    ((torch.randn(756, generator=G).to(torch.float32).reshape((6, 7, 3, 6)), torch.randn(126, generator=G).to(torch.float32).as_strided((6, 7, 3, 1), (1, 6, 42, 126)), torch.tensor([False, False, False, False, True, False, False, False, False], dtype=torch.bool).reshape((3, 3)), ), {}),
    ((torch.randn(2430, generator=G).to(torch.float32).reshape((9, 10, 3, 9)), torch.randn(270, generator=G).to(torch.float32).as_strided((9, 10, 3, 1), (1, 9, 90, 270)), torch.tensor([True, False, True, True, True, False, False, False, True], dtype=torch.bool).reshape((3, 3)), ), {}),
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
