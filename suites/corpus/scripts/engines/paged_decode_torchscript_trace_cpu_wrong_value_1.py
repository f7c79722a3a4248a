# engines, torchscript.trace on cpu: WRONG_VALUE an element is off by more than its terms and eager's error allow (rmse 2.32e-09, eager_rmse 4.43e-17, excess 1.03e+06, worst_error 4.72e-09, worst_allowed 4.58e-15, worst_index 5, allowed 3.88e-15, got 0.387257, expected 0.387257)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def reference(q_BD, key_NPD, value_NPD, table_BM, lengths_B):
    (batch, width), slots = (q_BD.shape, table_BM.size(1) * key_NPD.size(1))
    key_BTD, value_BTD = (cache[table_BM].reshape(batch, slots, width) for cache in (key_NPD, value_NPD))
    there_BT = torch.arange(slots, device=q_BD.device) < lengths_B.unsqueeze(1)
    scores_BT = (key_BTD @ q_BD.unsqueeze(-1)).squeeze(-1) * width ** (-0.5)
    weights_BT = F.softmax(scores_BT.masked_fill(~there_BT, -10000.0), dim=-1) * there_BT
    return (weights_BT.unsqueeze(1) @ value_BTD).squeeze(1)
implementation = torch.jit.trace(reference, (torch.zeros([5, 8], dtype=torch.float64), torch.zeros([7, 4, 8], dtype=torch.float64), torch.zeros([7, 4, 8], dtype=torch.float64), torch.zeros([65], dtype=torch.int64).as_strided([5, 13], [13, 1], 0), torch.zeros([5], dtype=torch.int64)), check_trace=False)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.16421625018119812, 0.3057610094547272, 0.20998091995716095, 0.905626118183136, 0.6035430431365967, 0.8109818696975708, -0.04508150741457939, 0.8796946406364441], dtype=torch.float64).reshape((1, 8)).data, torch.randn(224, generator=G).to(torch.float64).reshape((7, 4, 8)).data, torch.randn(224, generator=G).to(torch.float64).reshape((7, 4, 8)).data, torch.tensor([4, 3, 0, 2, 1, 2, 6], dtype=torch.int64).reshape((1, 7)).data, torch.tensor([28], dtype=torch.int64), ), {}),
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
