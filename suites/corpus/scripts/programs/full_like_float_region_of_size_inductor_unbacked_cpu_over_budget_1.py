# programs, inductor.unbacked on cpu: OVER_BUDGET s1 == 3.0 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


@torch.compiler.nested_compile_region
def region(part, number):
    return (part.sin() * number, part.shape[0] * 2 + number)

def program(x0, s1):
    v2 = torch.full_like(x0, s1)
    v3_y, v3_n = region(v2, 3)
    v3_z, _ = region(v3_y, v3_n)
    v3 = v3_z + torch.full((v3_n,), 1.0, device=v2.device).sum()
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
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([0.6115637421607971, 0.22739554941654205, -0.22470347583293915, 0.5908228754997253, 9.99994610111476e-41, 0.05378309264779091, float("-inf"), -0.3697144687175751, -0.03404182195663452, -0.7278164625167847, 1.0000000150474662e+30, -0.026593076065182686, 0.13130265474319458, -0.898947536945343, -0.5487177968025208, -0.4411419630050659, 1.4823927879333496, 1.0000000150474662e+30, 0.12292122095823288, 0.36294567584991455, -0.6734980344772339, 1.1296226978302002, 0.29707157611846924, 1.347394585609436, float("-inf"), -1.3673113584518433, -0.7669498920440674, -1.1469402313232422, -0.030153580009937286, -0.5609056353569031, -0.6085458993911743, 2.202188730239868], dtype=torch.float32), 1.0, ), {}),
    ((torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32), 3.0, ), {}),
    ((torch.tensor([0.0, 0.0, 0.0], dtype=torch.float32), 3.0, ), {}),
    ((torch.tensor([0.0, 0.0, 0.0], dtype=torch.float32), -1.0, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
