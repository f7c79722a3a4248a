# engines, torchscript.trace on cpu: WRONG_VALUE an element is off by more than its terms and eager's error allow (rmse 4.07e-09, eager_rmse 7.65e-17, excess 1.87e+06, worst_error 1.76e-08, worst_allowed 9.42e-15, worst_index 375, allowed 2.81e-15, got -0.914146, expected -0.914146)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def reference(q_BHSD, k_BHSD, v_BHSD):
    scores = q_BHSD @ k_BHSD.transpose(-1, -2) * q_BHSD.size(-1) ** (-0.5)
    position = torch.arange(q_BHSD.size(2), device=q_BHSD.device)
    scores = scores.masked_fill(position > position.unsqueeze(1), float('-inf'))
    return F.softmax(scores, dim=-1) @ v_BHSD
implementation = torch.jit.trace(reference, (torch.zeros([5, 4, 13, 8], dtype=torch.float64), torch.zeros([5, 4, 13, 8], dtype=torch.float64), torch.zeros([5, 4, 13, 8], dtype=torch.float64)), check_trace=False)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(896, generator=G).to(torch.float64).reshape((4, 4, 7, 8)).data, torch.randn(896, generator=G).to(torch.float64).reshape((4, 4, 7, 8)).data, torch.randn(896, generator=G).to(torch.float64).reshape((4, 4, 7, 8)).data, ), {}),
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
