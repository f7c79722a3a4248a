# torch_api, aot_eager.unbacked+spec on cpu: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = torch.permute(x0, (n0, -2, -1, 1))
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec
DIMS = {}
VARS = {name: ShapeVar(name) for named in DIMS.values() for name in named.values()}
COMPILED = []

def spec_of(at, name, arg):
    if isinstance(arg, torch.Tensor):
        return TensorSpec([VARS.get(DIMS.get(at, {}).get(dim)) for dim in range(arg.dim())])
    return IntVar(name) if type(arg) is int else None

def implementation(*args, **options):
    names = inspect.signature(program).parameters
    spec = ShapesSpec({name: spec_of(at, name, arg) for at, (name, arg) in enumerate(zip(names, args))})
    if not COMPILED:
        COMPILED.append(torch.compile(program, shapes_spec=spec, backend='aot_eager', fullgraph=True))
    return COMPILED[0](*args)

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((1, 2, 2, 2)), 0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
