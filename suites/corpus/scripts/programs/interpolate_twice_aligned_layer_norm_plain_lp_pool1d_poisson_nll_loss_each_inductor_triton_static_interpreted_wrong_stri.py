# programs, inductor_triton.static on interpreted: WRONG_STRIDES [5] other strides than eager's, and it keeps the memory format of an argument (got [27, 9, 3, 1], expected [27, 1, 9, 3])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.lp_pool1d(x0, 2.0, 3, stride=2, ceil_mode=True)
    v4 = F.layer_norm(x0, x0.shape[-1:])
    v5 = F.interpolate(x1, scale_factor=2.0, mode='bilinear', align_corners=True)
    v6 = F.poisson_nll_loss(x2.tanh(), x2.abs(), reduction='none')
    return (v3, v4, v5, v6)
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
compiled = torch.compile(program, backend='inductor', dynamic=False, fullgraph=True, options={'compile_threads': 1})
implementation = compiled
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.1015625, -0.349609375, 0.671875, 1.8046875, 0.8671875, 0.2236328125, -0.35546875, -0.53125, -1.484375, 1.1171875, 0.486328125, -0.796875, -2.328125, 0.006622314453125, 0.0169677734375, -1.4453125, 1.6171875, -1.84375, 0.91015625, -2.0625, -0.4296875, 0.1591796875, -0.70703125, 0.216796875, -1.515625, 0.0269775390625, 0.625], dtype=torch.bfloat16).as_strided((3, 3, 3), (1, 3, 9)), torch.randn(189, generator=G).to(torch.float16).as_strided((7, 3, 3, 3), (1, 7, 21, 63)), torch.tensor([1.343900442123413, 1.343900442123413, 0.6757890582084656, 0.6757890582084656, 0.7717845439910889, 0.7717845439910889, 0.7200313806533813, 0.7200313806533813, -0.03367752209305763, -0.03367752209305763, 1.8145251274108887, 1.8145251274108887, -0.5725101828575134, -0.5725101828575134, -1.7196663618087769, -1.7196663618087769, 1.4006198644638062, 1.4006198644638062, 0.04035734385251999, 0.04035734385251999, -1.3055577278137207, -1.3055577278137207, -0.02142118290066719, -0.02142118290066719, -0.6328842639923096, -0.6328842639923096, 1.473120093345642, 1.473120093345642, 0.1262628585100174, 0.1262628585100174, -0.5956284999847412, -0.5956284999847412, -0.17756488919258118, -0.17756488919258118, 0.7421373724937439, 0.7421373724937439, 1.165624737739563, 1.165624737739563, 0.622490644454956, 0.622490644454956, 2.1310720443725586, 2.1310720443725586, 1.13534414768219, 1.13534414768219, 0.33405983448028564, 0.33405983448028564, -1.1987593173980713], dtype=torch.float32).as_strided((2, 3, 4, 1), (24, 8, 2, 2)), ), {}),
    ((torch.tensor([-1.0, -2.0, 0.0, 2.0, -2.0, 0.0, 2.0, -2.0, 2.0, 1.0, -2.0, 2.0, -2.0, 1.0, -3.0, -3.0, 3.0, -3.0, 0.0, 0.0, 0.0, -3.0, 3.0, -3.0, -3.0, 0.0, 0.0], dtype=torch.bfloat16).as_strided((3, 3, 3), (1, 3, 9)), torch.randn(243, generator=G).to(torch.float16).as_strided((9, 3, 3, 3), (1, 9, 27, 81)), torch.tensor([-2.0, -2.0, -1.0, -1.0, -2.0, -2.0, 0.0, 0.0, -1.0, -1.0, 3.0, 3.0, -1.0, -1.0, 2.0, 2.0, 3.0, 3.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, 2.0, 2.0, 1.0, 1.0, -3.0, -3.0, 0.0, 0.0, -3.0, -3.0, -1.0, -1.0, -1.0, -1.0, -3.0, -3.0, 1.0, 1.0, 2.0, 2.0, 2.0], dtype=torch.float32).as_strided((2, 3, 4, 1), (24, 8, 2, 2)), ), {}),
    ((torch.tensor([-1.0, -2.0, 0.0, 2.0, -2.0, 0.0, 2.0, -2.0, 2.0, 1.0, -2.0, 2.0, -2.0, 1.0, -3.0, -3.0, 3.0, -3.0, 0.0, 0.0, 0.0, -3.0, 3.0, -3.0, -3.0, 0.0, 0.0], dtype=torch.bfloat16).as_strided((3, 3, 3), (1, 3, 9)), torch.randn(243, generator=G).to(torch.float16).as_strided((9, 3, 3, 3), (1, 9, 27, 81)), torch.tensor([-2.0, -2.0, -1.0, -1.0, -2.0, -2.0, 0.0, 0.0, -1.0, -1.0, 3.0, 3.0, -1.0, -1.0, 2.0, 2.0, 3.0, 3.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, 2.0, 2.0, 1.0, 1.0, -3.0, -3.0, 0.0, 0.0, -3.0, -3.0, -1.0, -1.0, -1.0, -1.0, -3.0, -3.0, 1.0, 1.0, 2.0, 2.0, 2.0], dtype=torch.float32).as_strided((2, 3, 4, 1), (24, 8, 2, 2)), ), {}),
    ((torch.tensor([-1.0, 0.0, -2.0, 2.0, 2.0, 0.0, 0.0, 1.0, 3.0, -1.0, -2.0, 1.0, -3.0, -3.0, 0.0, 2.0, 1.0, -3.0, 1.0, -1.0, 1.0, 0.0, -2.0, 1.0, 1.0, -1.0, 1.0], dtype=torch.bfloat16).as_strided((3, 3, 3), (3, 9, 1)), torch.randn(108, generator=G).to(torch.float16).as_strided((4, 3, 3, 3), (27, 1, 9, 3)), torch.tensor([-3.0, 3.0, 1.0, 3.0, -2.0, -1.0, -1.0, -3.0, -1.0, 0.0, -1.0, 3.0, -2.0, -3.0, 3.0, 3.0, -3.0, -2.0, 3.0, 1.0, 0.0, 0.0, 2.0, -1.0], dtype=torch.float32).as_strided((2, 3, 4, 1), (12, 1, 3, 3)), ), {}),
    ((torch.tensor([-1.0, 0.0, -2.0, 2.0, 2.0, 0.0, 0.0, 1.0, 3.0, -1.0, -2.0, 1.0, -3.0, -3.0, 0.0, 2.0, 1.0, -3.0, 1.0, -1.0, 1.0, 0.0, -2.0, 1.0, 1.0, -1.0, 1.0], dtype=torch.bfloat16).as_strided((3, 3, 3), (3, 9, 1)), torch.randn(108, generator=G).to(torch.float16).as_strided((4, 3, 3, 3), (27, 1, 9, 3)), torch.tensor([-3.0, 3.0, 1.0, 3.0, -2.0, -1.0, -1.0, -3.0, -1.0, 0.0, -1.0, 3.0, -2.0, -3.0, 3.0, 3.0, -3.0, -2.0, 3.0, 1.0, 0.0, 0.0, 2.0, -1.0], dtype=torch.float32).as_strided((2, 3, 4, 1), (12, 1, 3, 3)), ), {}),
    ((torch.randn(125, generator=G).to(torch.bfloat16).as_strided((5, 5, 5), (1, 5, 25)), torch.randn(75, generator=G).to(torch.float16).as_strided((1, 5, 3, 5), (1, 1, 5, 15)), torch.tensor([2.0, 2.0, -1.0, -1.0, 2.0, 2.0, 1.0, 1.0, -3.0, -3.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0, 0.0, -3.0, -3.0, 3.0, 3.0, -1.0, -1.0, 3.0, 3.0, -2.0, -2.0, 3.0, 3.0, 2.0, 2.0, 3.0, 3.0, -1.0], dtype=torch.float32).as_strided((2, 3, 3, 1), (18, 6, 2, 2)), ), {}),
    ((torch.randn(64, generator=G).to(torch.bfloat16).reshape((4, 4, 4)), torch.randn(144, generator=G).to(torch.float16).reshape((3, 4, 3, 4)), torch.tensor([-1.0, -1.0, -3.0, -2.0, -3.0, 2.0], dtype=torch.float32).reshape((2, 3, 1, 1)), ), {}),
    ((torch.tensor([1.0, 3.0, -2.0, 1.0, -3.0, 2.0, -1.0, -2.0, 2.0, 0.0, 2.0, 2.0, 1.0, -2.0, -2.0, 2.0, -1.0, -2.0, 1.0, 3.0, 0.0, 2.0, 2.0, -3.0, 2.0, 1.0, 2.0], dtype=torch.bfloat16).as_strided((3, 3, 3), (1, 3, 9)), torch.randn(243, generator=G).to(torch.float16).as_strided((9, 3, 3, 3), (1, 9, 27, 81)), torch.randn(323, generator=G).to(torch.float32).as_strided((2, 3, 27, 1), (162, 54, 2, 2)), ), {}),
    ((torch.tensor([-2.0, -3.0, 1.0, -3.0, 1.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, -1.0, 2.0, -3.0, 3.0, -3.0, 1.0, 3.0, 3.0, 3.0, 3.0, -2.0, -3.0, 0.0, -1.0, 0.0, 3.0], dtype=torch.bfloat16).as_strided((3, 3, 3), (1, 3, 9)), torch.randn(243, generator=G).to(torch.float16).as_strided((9, 3, 3, 3), (1, 9, 27, 81)), torch.tensor([-3.0, -3.0, -3.0, -3.0, -2.0, -2.0, 2.0, 2.0, 2.0, 2.0, 0.0, 0.0, -1.0, -1.0, -3.0, -3.0, -2.0, -2.0, 1.0, 1.0, 3.0, 3.0, 2.0], dtype=torch.float32).as_strided((2, 3, 2, 1), (12, 4, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
