# torch_api, aot_decomp.mark_dynamic on cpu: WRONG_VALUE [0] a finite number where the reference has NaN (wrong 2, elements 20, worst_index 8)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.ops.aten.smooth_l1_loss_backward.default(x0, x1, x2, 1, 0.5)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {2: 'c'}, 1: {2: 'c'}, 2: {2: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-1.0652464628219604, -0.0353318490087986, 0.3674500584602356, 0.609061062335968, 1.008342981338501, -1.406081199645996, -0.9489006996154785, 1.9984503984451294, 2.392712116241455, 2.7221503257751465, -1.5818452835083008, -0.7294950485229492, 0.4138873517513275, 0.6900694966316223, 2.3292863368988037, -0.748076856136322, -0.4909425377845764, 0.09822016954421997, 0.18405908346176147, 0.5956476926803589], dtype=torch.float32).reshape((2, 2, 5)), torch.tensor([-0.03522524610161781, 1.7297861576080322, -0.7732328772544861, -0.167349174618721, -0.5851483941078186, -2.662599563598633, -1.2996286153793335, 1.3645471334457397, float("nan"), float("inf"), 0.9704943895339966, -0.656485378742218, 0.1534569263458252, float("-inf"), -0.5233206152915955, -0.668929398059845, 1.0000000150474662e+30, float("nan"), 0.2817636728286743, 0.27330756187438965], dtype=torch.float32).reshape((2, 2, 5)), torch.tensor([-2.0, 2.0, 1.0, -3.0, 2.0, 1.0, -1.0, 1.0, -1.0, -1.0, 0.0, 2.0, 2.0, -3.0, 2.0, -3.0, 1.0, 1.0, 3.0, 0.0], dtype=torch.float32).reshape((2, 2, 5)), ), {}),
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
