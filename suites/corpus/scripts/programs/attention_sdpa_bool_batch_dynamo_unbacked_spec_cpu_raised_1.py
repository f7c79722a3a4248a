# programs, dynamo.unbacked+spec on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(1, u0) (unhinted: Eq(1, u0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.scaled_dot_product_attention(x0, x1, x2, attn_mask=x3)
    return (v4,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec
DIMS = {0: {0: 'a', 1: 'a', 3: 'a+1'}, 1: {0: 'a', 1: 'a', 3: 'a+1'}, 2: {0: 'a', 1: 'a'}, 3: {0: 'a'}}
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
        COMPILED.append(torch.compile(program, shapes_spec=spec, backend='eager', fullgraph=True))
    return COMPILED[0](*args)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 2, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 1, 1)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 1, 2)), torch.tensor([], dtype=torch.bool).reshape((0, 1, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
