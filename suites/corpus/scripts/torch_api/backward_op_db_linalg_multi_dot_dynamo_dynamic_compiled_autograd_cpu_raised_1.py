# torch_api, dynamo.dynamic+compiled_autograd on cpu: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = x2[x5]
    v1 = torch.linalg.multi_dot([x0, x1, v0, x3, x4])
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
compiled = torch.compile(program, backend='eager', dynamic=True, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)
called, settings = (implementation, dict(backend='eager', dynamic=True, fullgraph=True))
settings['fullgraph'] = False

def implementation(*args, **options):
    with torch._dynamo.compiled_autograd._enable(lambda graph: torch.compile(graph, **settings)):
        return called(*args, **options)

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([-1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294, 0.3731146454811096], dtype=torch.float32).reshape((5, 2)), torch.tensor([-0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423], dtype=torch.float32).reshape((2, 2)), torch.tensor([0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32).reshape((2, 2)), torch.tensor([False, False, False, True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
