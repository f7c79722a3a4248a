# torch_api, inductor.mark_dynamic on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [17, 510, 1], expected [1, 30, 30])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.copysign(x1)
    return parts(v0)
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
MARKED = {0: {0: 'a', 1: 'b', 2: 'c'}, 1: {0: 'b', 1: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(510, generator=G).to(torch.float32).as_strided((30, 1, 17), (1, 30, 30)), torch.tensor([-98.21156311035156, 71.54749298095703, -47.00719451904297, 155.46878051757812, 63.56935501098633, 26.44196128845215, -48.47215270996094, -101.8633041381836, 11.833702087402344, 4.1935272216796875, -163.20968627929688, -107.07611846923828, -37.68107223510742, -72.37466430664062, -1.157034158706665, -8.142541885375977, -140.72869873046875], dtype=torch.float32).reshape((1, 17)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
