# torch_api, aot_eager.unbacked+spec on cpu: WRONG_STRIDES [3] other strides than eager's, and it keeps the memory format of an argument (got [4, 2, 1, 1], expected [4, 1, 2, 2])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten._foreach_add.ScalarList([x0, x1], [1, 1])
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
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec
DIMS = {1: {3: 'h'}}
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
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((2, 2, 2, 2)), torch.tensor([-0.7192575931549072, -0.5966353416442871, -0.40334352850914, 0.18203648924827576, -0.8566746115684509, -1.0711873769760132, 1.1006041765213013, 0.1227012425661087], dtype=torch.float32).as_strided((2, 2, 2, 1), (4, 1, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
