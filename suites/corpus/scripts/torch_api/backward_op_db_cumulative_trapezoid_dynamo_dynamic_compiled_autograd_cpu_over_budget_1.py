# torch_api, dynamo.dynamic+compiled_autograd on cpu: OVER_BUDGET ((-1) + x0.size()[1]) != 1 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.cumulative_trapezoid(x0)
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
compiled = torch.compile(program, backend='eager', dynamic=True, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)
called, settings = (implementation, dict(backend='eager', dynamic=True, fullgraph=True))
settings['fullgraph'] = False

def implementation(*args, **options):
    with torch._dynamo.compiled_autograd._enable(lambda graph: torch.compile(graph, **settings)):
        return called(*args, **options)

calls = [
    ((torch.tensor([1.2670979499816895, -0.29203104972839355, 0.41492101550102234, -1.0612528324127197, 0.4419991970062256, -0.5180734395980835], dtype=torch.float32).reshape((2, 3)), ), {}),
    ((torch.tensor([-0.9470893144607544, -2.033775568008423, -0.4985921084880829, 0.39191707968711853], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
