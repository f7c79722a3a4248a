# engines, torchscript.trace on cpu: WRONG_VALUE an element is off by more than its terms and eager's error allow (rmse 1, eager_rmse 2.81e-08, excess 6.27e+05, worst_error 2.08, worst_allowed 3.32e-06, worst_index 31, allowed 3.14e-06, got 1.3262, expected -0.755104)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def reference(x_BD, w_LDD, bias_L):
    for layer in range(w_LDD.size(0)):
        x_BD = torch.tanh(x_BD @ w_LDD[layer])
        if torch.sigmoid(x_BD.mean() + bias_L[layer]).item() > 0.9:
            return x_BD
    return x_BD * 2.0
implementation = torch.jit.trace(reference, (torch.zeros([5, 8], dtype=torch.float32), torch.zeros([3, 8, 8], dtype=torch.float32), torch.zeros([3], dtype=torch.float32)), check_trace=False)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318, -1.3526537418365479, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, -0.21586325764656067, -0.7425481677055359, 0.5627213716506958, 0.25962740182876587, -0.17396099865436554, -0.678746223449707, 0.9382607340812683, 0.4888698160648346, 1.203223705291748, 0.08453469723463058, -1.2001394033432007, -0.004785737954080105, -0.5180748105049133, -0.30670419335365295, -1.580993890762329, 1.7066433429718018], dtype=torch.float32).reshape((5, 8)).data, torch.randn(192, generator=G).to(torch.float32).reshape((3, 8, 8)).data, torch.tensor([8.0, -8.0, -8.0], dtype=torch.float32), ), {}),
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
