# torch_api, aot_decomp.unbacked on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [90, 45, 5, 1], expected [90, 1, 10, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.ReplicationPad2d((1, 2, 3, 4)).eval()

def program(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {3: 'd'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-1.1258398294448853, 0.8487103581428528, -1.152360200881958, 0.6920091509819031, -0.2505785822868347, -0.31601276993751526, -0.4338788092136383, -2.1152193546295166, 0.32227492332458496, 0.11984150856733322, -1.2633347511291504, 1.237657904624939, 0.34998318552970886, 1.1167771816253662, 0.30813392996788025, -0.2472781538963318], dtype=torch.float32).as_strided((2, 2, 2, 2), (8, 1, 4, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
