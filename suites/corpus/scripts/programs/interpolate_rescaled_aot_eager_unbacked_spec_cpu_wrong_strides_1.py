# programs, aot_eager.unbacked+spec on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [144, 36, 3, 1], expected [144, 1, 12, 4])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0):
    v1 = F.interpolate(x0, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
    return (v1,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec
DIMS = {0: {0: 'b', 1: 'a', 2: 'b'}}
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(512, generator=G).to(torch.float32).as_strided((8, 4, 8, 2), (64, 1, 8, 4)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
