# programs, aot_eager.static on cpu: WRONG_STRIDES [3] other strides than eager's, and it keeps the memory format of an argument (got [2], expected [1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1, x2, x3, x4, x5):
    v6 = x0.select_scatter(x1, 0, 0)
    v7 = torch.addr(x3, x4, x5, beta=0, alpha=0)
    return (v6, x2, v7)
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
compiled = torch.compile(program, backend='aot_eager', dynamic=False, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([1.5409960746765137, 1.5409960746765137, -0.293428897857666], dtype=torch.float32).as_strided((2,), (2,)), torch.tensor([-2.1787893772125244], dtype=torch.float32).reshape(()), torch.tensor([7, 1, 5, -4, 4, 1, -2, 0], dtype=torch.int64).reshape((2, 2, 2)), torch.tensor([0.5684312582015991, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132], dtype=torch.float32).reshape((2, 4)), torch.tensor([0.1227012425661087, -0.5663174986839294], dtype=torch.float32), torch.tensor([0.3731146454811096, -0.8919953107833862, -1.5091077089309692, 0.3703935444355011], dtype=torch.float32), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
