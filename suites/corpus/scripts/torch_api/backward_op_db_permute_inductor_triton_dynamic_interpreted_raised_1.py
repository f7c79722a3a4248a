# torch_api, inductor_triton.dynamic on interpreted: RAISED BackendCompilerFailed: backend='inductor' raised: GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x1.item()
    v1 = x0.permute((0, -2, v0, 1))
    return parts(v1)
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
    ((torch.tensor([-0.8528087735176086, 0.12209304422140121, 0.4825805723667145, -2.3852453231811523, -1.1859455108642578, -0.6755244731903076, 0.7996070384979248, -0.9163993000984192, 0.9110032916069031, 0.27465617656707764, 2.0817761421203613, 0.09085774421691895, -0.9892921447753906, 1.358927845954895, 0.7641672492027283, -0.45522502064704895, 0.12088854610919952, 1.5678702592849731, -0.8764315247535706, -0.0037370380014181137, -0.6180068850517273, -0.20328383147716522, -0.8452821373939514, -2.1673688888549805, 0.44772759079933167, 0.7858185768127441], dtype=torch.float32).reshape((1, 2, 13, 1)), torch.tensor([-1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
