# torch_api, dynamo.dynamic on cpu: OVER_BUDGET 2 <= x1.size()[4] <= 3 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.conv3d(x0, x1, None, padding='same', dilation=2)
    v1 = torch.clone(v0)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.tensor([-1.0, 2.0, 2.0, -2.0, 0.0, -3.0, 0.0, -2.0, 0.0, 0.0, -2.0, 1.0, -2.0, -2.0, -3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.tensor([-1.0, 2.0, 2.0, -2.0, 0.0, -3.0, 0.0, -2.0, 0.0, 0.0, -2.0, 1.0, -2.0, -2.0, -3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.tensor([-1.0, 2.0, 2.0, -2.0, 0.0, -3.0, 0.0, -2.0, 0.0, 0.0, -2.0, 1.0, -2.0, -2.0, -3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.tensor([2.0, 1.0, -2.0, 3.0, 1.0, 2.0, -2.0, -3.0, 0.0, 1.0, -1.0, 2.0, -2.0, 1.0, -3.0, -1.0, -3.0, 2.0, 2.0, -2.0, -3.0, 1.0, 3.0, -2.0, 1.0, 0.0, -3.0, 2.0, 2.0, 0.0, 3.0, 3.0, 2.0, -3.0, 3.0, 0.0, 0.0, 0.0, 2.0, -1.0], dtype=torch.float32).reshape((1, 1, 1, 5, 8)), ), {}),
    ((torch.randn(400, generator=G).to(torch.float32).reshape((1, 1, 20, 4, 5)), torch.tensor([-3.0, -2.0, -3.0, 0.0, -1.0, -2.0, -1.0, 1.0, -3.0, 2.0, 1.0, 1.0, -2.0, -1.0, 3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.tensor([-1.0, 2.0, 2.0, -2.0, 0.0, -3.0, 0.0, -2.0, 0.0, 0.0, -2.0, 1.0, -2.0, -2.0, -3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.full((400,), 0.0, dtype=torch.float32).reshape((1, 1, 20, 4, 5)), torch.tensor([-0.2372191697359085, -0.950388491153717, 0.19661058485507965, -1.924328327178955, -0.2028207927942276, -0.13967840373516083, -0.678219199180603, -0.7468581199645996, 0.3101617395877838, 1.406603217124939, 0.15770722925662994, -0.30579718947410583, 1.7139519453048706, -0.11558838933706284, 1.2451943159103394], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.tensor([-1.0, 2.0, 2.0, -2.0, 0.0, -3.0, 0.0, -2.0, 0.0, 0.0, -2.0, 1.0, -2.0, -2.0, -3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(455, generator=G).to(torch.float32).reshape((1, 1, 13, 7, 5)), torch.tensor([2.0, 3.0, -3.0, -3.0, 2.0, 3.0, 2.0, -2.0, -2.0, -1.0, -3.0, -1.0, -2.0, 2.0, 3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
    ((torch.randn(260, generator=G).to(torch.float32).reshape((1, 1, 13, 4, 5)), torch.randn(135, generator=G).to(torch.float32).reshape((1, 1, 1, 5, 27)), ), {}),
    ((torch.randn(400, generator=G).to(torch.float32).reshape((1, 1, 20, 4, 5)), torch.tensor([-3.0, -2.0, -3.0, 0.0, -1.0, -2.0, -1.0, 1.0, -3.0, 2.0, 1.0, 1.0, -2.0, -1.0, 3.0], dtype=torch.float32).reshape((1, 1, 1, 5, 3)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
