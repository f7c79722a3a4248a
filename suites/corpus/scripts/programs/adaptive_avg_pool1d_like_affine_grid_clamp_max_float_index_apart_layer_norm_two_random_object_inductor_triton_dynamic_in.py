# programs, inductor_triton.dynamic on interpreted: RAISED BackendCompilerFailed: backend='inductor' raised: RuntimeError: /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCompositeImplicitAutograd_0.cpp:2115: SymIntArrayRef expected to contain only concrete integers
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import random

def program(x0, x1, x2, x3, s4, x5):
    v6 = F.affine_grid(x0, x1.shape, align_corners=True)
    v7 = x0[x2, :, x3]
    v8 = v6.clamp(max=s4)
    v9 = F.layer_norm(x0, x0.shape[-2:])
    v10 = F.adaptive_avg_pool1d(v9, x5.shape[-1])
    v11_r = random.Random(9)
    v11_y = v6 * v11_r.random()
    v11_z = v11_r.randint(1, 9)
    v11 = v11_y + v11_z
    return (v7, v8, v10, v11)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.02634458988904953, 0.3447287976741791, 0.09459970146417618, 0.8141674399375916, 0.10658898949623108, -0.5243199467658997, -3.380013942718506, -0.12932677567005157, -0.09218402951955795, -0.2784079909324646, -1.639299988746643, -1.4932570457458496], dtype=torch.float32).reshape((2, 2, 3)), torch.randn(88, generator=G).to(torch.float32).reshape((2, 22, 2, 1)), torch.tensor([0, 0, 0], dtype=torch.int64), torch.tensor([2, 2, 0], dtype=torch.int64), 0.0, torch.tensor([-0.9172496795654297, -0.9172496795654297, -0.2688760757446289, -0.2688760757446289, 1.7223584651947021, 1.7223584651947021, -0.015998441725969315, -0.015998441725969315, -0.4333069920539856, -0.4333069920539856, 1.8352166414260864, 1.8352166414260864, 0.4512918293476105, 0.4512918293476105, 0.26663509011268616, 0.26663509011268616, 1.8409827947616577, 1.8409827947616577, 2.2731800079345703, 2.2731800079345703, 1.5397059917449951, 1.5397059917449951, -1.8306939601898193, -1.8306939601898193, -0.5275278687477112, -0.5275278687477112, 0.8086493611335754, 0.8086493611335754, -1.7994681596755981, -1.7994681596755981, 0.029931718483567238, 0.029931718483567238, -0.9166771769523621, -0.9166771769523621, 0.25765615701675415, 0.25765615701675415, 1.3111648559570312, 1.3111648559570312, 0.8088130354881287], dtype=torch.float32).as_strided((2, 2, 5), (20, 10, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
