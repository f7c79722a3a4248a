# programs, inductor_triton.dynamic+config on interpreted: WRONG_STRIDES [2] other strides than eager's, and it keeps the memory format of an argument (got [36, 1, 12, 4], expected [36, 9, 3, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.conv_transpose2d(x0, x1, x2, stride=2, padding=0, output_padding=1)
    return (v3,)
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
    ((torch.tensor([-219.14715576171875, -35.94231414794922, -168.79644775390625, -112.11317443847656, -130.6162567138672, -48.752098083496094, -156.04217529296875, 50.03057861328125], dtype=torch.float64).reshape((4, 1, 1, 2)).data, torch.tensor([1.0000000150474662e+30, -0.4783790707588196, 0.4406820833683014, 0.5687063336372375, 0.15284110605716705, 2.2693514823913574, 1.0000000150474662e+30, 0.3548929989337921, -0.0, 0.49977245926856995, float("-inf"), -0.3950037956237793, float("nan"), -0.27884364128112793, 0.23975437879562378, 0.4017089605331421, -0.0, -0.0, float("nan"), 2.6318321228027344, -1.2400519847869873, -0.4696308672428131, float("inf"), 1.051121473312378, -0.0, 0.3072946071624756, -0.3433968722820282, -0.4308722913265228, -0.5738155841827393, 1.1108633279800415, 2.7782208919525146, float("inf"), -0.3443959355354309, 0.761568009853363, 1.0681017637252808, -0.23445101082324982], dtype=torch.float64).reshape((1, 4, 3, 3)).data, torch.tensor([-1.0875909328460693, 1.4941983222961426, -0.25190988183021545, -0.020909881219267845], dtype=torch.float64), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
