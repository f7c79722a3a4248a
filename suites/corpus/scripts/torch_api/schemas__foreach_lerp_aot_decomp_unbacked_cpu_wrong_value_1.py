# torch_api, aot_decomp.unbacked on cpu: WRONG_VALUE [0] an element is off by more than its terms and eager's error allow (rmse 0.222, eager_rmse 0, excess 3.73e+05, worst_error 0.543, worst_allowed 1.46e-06, worst_index 9, allowed 1.63e-06, got 0, expected 0.542771)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = torch.ops.aten._foreach_lerp.ScalarList([x0, x1], [x2, x3], [1, 1])
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([float("nan"), -1.152360200881958, float("-inf"), -0.0, float("-inf"), 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, 1.0000000150474662e+30, 0.34998318552970886, 1.0000000150474662e+30, -0.0, float("nan"), 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((2, 2, 2, 2)), torch.tensor([-0.6730899214744568, 0.8728312253952026, 1.0553574562072754, 0.17784371972084045, -0.23033547401428223, -0.3917543888092041, 0.5432947278022766, -0.3951575458049774, -0.4462171792984009, 0.7440207004547119, 1.5209795236587524, 3.4105026721954346, -1.5311843156814575, -1.2341350317001343, 1.8197252750396729, -0.5515286922454834], dtype=torch.float32).reshape((2, 2, 2, 2)), torch.tensor([0.1919950693845749, 0.5427713394165039], dtype=torch.float32), torch.tensor([-2.2187793254852295, 0.2589845359325409], dtype=torch.float32), ), {}),
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
