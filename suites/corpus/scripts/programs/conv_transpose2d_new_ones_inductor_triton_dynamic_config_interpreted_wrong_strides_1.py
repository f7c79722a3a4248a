# programs, inductor_triton.dynamic+config on interpreted: WRONG_STRIDES [4] other strides than eager's, and it keeps the memory format of an argument (got [36, 1, 12, 4], expected [36, 9, 3, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = x0.new_ones((x0.shape[0] + 1, x0.shape[0]))
    v5 = F.conv_transpose2d(x1, x2, x3, stride=2, padding=0, output_padding=1)
    return (v4, v5, x3)
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
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([False, True, False], dtype=torch.bool), torch.tensor([51.67268371582031, -140.33949279785156, 107.2001953125, -53.827423095703125, -73.82221221923828, -82.44979095458984, -20.506162643432617, 154.38621520996094], dtype=torch.float64).reshape((4, 1, 1, 2)).data, torch.tensor([0.5687063336372375, 0.15284110605716705, 2.2693514823913574, 1.0000000150474662e+30, 0.3548929989337921, -0.0, 0.8458025455474854, float("-inf"), -0.3950037956237793, float("nan"), -0.27884364128112793, 0.23975437879562378, 0.4017089605331421, -0.0, -0.0, float("nan"), 2.6318321228027344, -0.3327380120754242, -0.3957744240760803, float("inf"), 1.051121473312378, -0.0, 0.3072946071624756, -0.3433968722820282, -0.4308722913265228, 1.2901592254638672, -0.00027205332298763096, 0.6272895336151123, float("inf"), -0.3443959355354309, 0.761568009853363, 1.0681017637252808, -0.23445101082324982, -0.13665831089019775, 0.8676161170005798, 0.06851891428232193], dtype=torch.float64).reshape((1, 4, 3, 3)).data, torch.tensor([-1.0153439044952393, 0.4959767162799835, 0.9766752123832703, -0.19591562449932098], dtype=torch.float64), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
