# torch_api, dynamo.dynamic+compiled_autograd on cpu: OVER_BUDGET tensor 'x2' size mismatch at index 0. expected 3, actual 4 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.bilinear(x0, x1, x2)
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
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2)), torch.tensor([], dtype=torch.float32).reshape((0, 2)), torch.tensor([-1.2110382318496704, 1.2134084701538086, -1.2244493961334229, 0.4311705231666565, -0.29974719882011414, 0.6757758855819702, 1.6465388536453247, 0.092527836561203, -1.0790307521820068, -0.015170179307460785, 0.12853401899337769, -0.03985198587179184], dtype=torch.float32).reshape((3, 2, 2)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2)), torch.tensor([], dtype=torch.float32).reshape((0, 2)), torch.tensor([1.3568954467773438, -2.0588512420654297, 0.3408145308494568, -0.724399209022522, 0.09535783529281616, -0.7348279356956482, 0.34020867943763733, -0.027133671566843987, 1.5922777652740479, -1.260921835899353, 1.4027576446533203, 0.010254600085318089, -0.1226382851600647, 0.07816556841135025, -0.10548083484172821, 0.25709840655326843], dtype=torch.float32).reshape((4, 2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
