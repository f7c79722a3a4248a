# programs, inductor.unbacked on cpu: WRONG_VALUE [1] an element is off by more than its terms and eager's error allow (rmse 0.101, eager_rmse 5.07e-08, excess 1.75e+04, worst_error 0.101, worst_allowed 5.77e-06, worst_index 0, allowed 1.11e-05, got 0.805386, expected 0.906256)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1, x2, x3):
    v4_n = x1.sum().item()
    torch._check(v4_n >= 0)
    torch._check(v4_n <= x0.shape[0])
    v4 = x0.new_zeros(v4_n, x0.shape[-1])
    v5_n1 = x3.item()
    v5_0 = x2 + torch.linalg.vector_norm(x2, ord=abs(v5_n1) + 1)
    v5 = v5_0
    return (v4, v5)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([(1.5409960746765137-1.0845223665237427j), (-0.293428897857666-1.3985954523086548j), (-2.1787893772125244+0.40334683656692505j), (0.5684312582015991+0.8380263447761536j)], dtype=torch.complex64).reshape((2, 2)), torch.tensor([False, False], dtype=torch.bool), torch.tensor([-0.2613142132759094, 1.066699743270874], dtype=torch.float32), torch.tensor([0.41589120030403137], dtype=torch.float32).reshape(()), ), {}),
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
