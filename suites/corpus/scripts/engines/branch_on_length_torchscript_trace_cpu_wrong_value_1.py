# engines, torchscript.trace on cpu: WRONG_VALUE an element is off by more than its terms and eager's error allow (rmse 0.851, eager_rmse 1.25e-08, excess 1.63e+06, worst_error 1.75, worst_allowed 1.07e-06, worst_index 154, allowed 1.21e-06, got -1.76307, expected -0.0163068)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def reference(x_SD):
    if x_SD.size(0) > 16:
        return x_SD.cumsum(0) / torch.arange(1, x_SD.size(0) + 1, device=x_SD.device, dtype=x_SD.dtype).unsqueeze(1)
    return x_SD - 0.5 * x_SD.mean(-1, keepdim=True)
implementation = torch.jit.trace(reference, (torch.zeros([5, 8], dtype=torch.float32),), check_trace=False)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(176, generator=G).to(torch.float32).reshape((22, 8)).data, ), {}),
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
