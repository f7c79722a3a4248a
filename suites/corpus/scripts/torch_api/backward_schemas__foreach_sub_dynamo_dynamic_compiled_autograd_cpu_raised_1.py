# torch_api, dynamo.dynamic+compiled_autograd on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(u0, 0) (unhinted: Eq(u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0, x1), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
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
    ((torch.tensor([0.4000621438026428, 0.005499932914972305, 0.7014561891555786, -0.5918987989425659, 0.804338276386261, 0.2174781709909439, 0.2015102058649063, -2.8956692218780518, 0.7752310037612915, 0.17469847202301025, 0.669306218624115, 0.10387896746397018, -0.12475603073835373, -1.1534490585327148, -2.5077643394470215, 0.13811026513576508, 0.9917932152748108, -0.8853811025619507, -0.1636303812265396, -0.27435368299484253, -0.25851017236709595, -0.46504005789756775, 0.33125051856040955, -0.9385151863098145, 0.9199001789093018, -1.2606686353683472, -1.1134424209594727, 0.32806119322776794], dtype=torch.float64), torch.tensor([True, True, True, True, True, True, False, True, True, True, True, True, True, True, True, True, True, True, False, True, True, True, True, True, True, True, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
