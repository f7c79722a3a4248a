# programs, inductor_triton.dynamic on interpreted: WRONG_STRIDES [9] other strides than eager's, and it keeps the memory format of an argument (got [2, 1], expected [1, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = torch.bucketize(x0.nan_to_num(), x0.nan_to_num().sort().values, right=True, out_int32=True)
    if x1.shape[0] == x1.shape[1]:
        v7_y = x1 + x1.transpose(0, 1)
    else:
        v7_y = x1 * 2
    v7 = v7_y
    v8 = torch.rnn_tanh_cell(x1, x2, x3, x4, x5, x5)
    v9 = F.triplet_margin_loss(x4, x4, x4, swap=True, reduction='none')
    v10 = x3.index_put((torch.arange(x3.shape[0], device=x3.device),), x3)
    return (v6, v7, v8, v9, v10)
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
    ((torch.tensor([-1.37890625, 1.201171875, -0.0611572265625, -0.21484375, -1.63671875, 0.677734375, 1.115234375, 1.76171875, 0.72021484375, -0.036865234375, -0.264892578125, -0.382568359375, 1.318359375, 0.05133056640625, -0.03363037109375, -1.4873046875, 0.5888671875, 0.599609375, 1.6064453125], dtype=torch.float16), torch.tensor([-0.16405902802944183, 1.0746729373931885, -0.7627976536750793, -0.37784191966056824, -0.0, -0.2195655107498169, -0.11547059565782547, 1.5355780124664307, 0.11385708302259445], dtype=torch.float64).reshape((3, 3)), torch.tensor([0.6666461229324341, 0.6666461229324341, 0.8739617466926575, 0.8739617466926575, 0.11822772771120071, 0.11822772771120071, -0.4071717858314514, -0.4071717858314514, 0.07145001739263535, 0.07145001739263535, 0.15660740435123444], dtype=torch.float64).as_strided((3, 2), (4, 2)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float64).reshape((2, 3)), torch.tensor([-29.743972778320312, -40.51253128051758, -127.92680358886719, 66.58415222167969], dtype=torch.float64).as_strided((2, 2), (1, 2)), torch.tensor([289.56292724609375, -120.02327728271484], dtype=torch.float64), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
