# programs, aot_eager.unbacked+spec on cpu: RAISED BackendCompilerFailed: backend='aot_eager' raised: GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u6, 1) (unhinted: Eq(u6, 1)). (Size-like symbols: u6)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = F.adaptive_avg_pool1d(x0, 3)
    v6 = F.interpolate(x0, size=x1.shape[2], mode='linear')
    v7, v8 = (x2.transpose(0, -1), x2)
    v9 = F.interpolate(x3, scale_factor=1.5, mode='bilinear', recompute_scale_factor=True)
    v10 = v9 * (v9.mean((2, 3)) @ x4).sigmoid()[:, :, None, None]
    return (v5, v6, v7, v8, v10)
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
DIMS = {0: {1: 'a', 2: 'a'}, 1: {1: 'a'}, 2: {0: 'a', 1: 'b+1'}, 3: {0: 'c+1', 1: 'c', 3: 'b'}, 4: {0: 'c', 1: 'c'}}
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-2.0, -2.0, -1.0, -2.0], dtype=torch.float32).reshape((1, 2, 2)), torch.tensor([0.8734981417655945, -1.3741554021835327], dtype=torch.float32).reshape((1, 2, 1)), torch.tensor([-2.161830425262451, 0.5388432741165161, -0.05936812609434128, 0.6214364767074585, 0.11949177086353302, 0.31504613161087036], dtype=torch.float32).as_strided((2, 6), (0, 1)), torch.randn(1080, generator=G).to(torch.bfloat16).reshape((9, 8, 3, 5)), torch.randn(64, generator=G).to(torch.bfloat16).reshape((8, 8)), ), {}),
    ((torch.tensor([-2.0, -2.0, -1.0, -2.0], dtype=torch.float32).reshape((1, 2, 2)), torch.tensor([0.8734981417655945, -1.3741554021835327], dtype=torch.float32).reshape((1, 2, 1)), torch.tensor([-2.161830425262451, 0.5388432741165161, -0.05936812609434128, 0.6214364767074585, 0.11949177086353302, 0.31504613161087036], dtype=torch.float32).as_strided((2, 6), (0, 1)), torch.randn(1080, generator=G).to(torch.bfloat16).reshape((9, 8, 3, 5)), torch.randn(64, generator=G).to(torch.bfloat16).reshape((8, 8)), ), {}),
    ((torch.randn(49, generator=G).to(torch.float32).reshape((1, 7, 7)), torch.tensor([0.47725898027420044, 0.2918991148471832, 0.0703027993440628, 0.7593711614608765, 1.0922173261642456, -0.23845446109771729, 1.4980204105377197], dtype=torch.float32).reshape((1, 7, 1)), torch.full((70,), 0.0, dtype=torch.float32).reshape((7, 10)), torch.full((324,), 0.0, dtype=torch.bfloat16).reshape((4, 3, 3, 9)), torch.tensor([-0.396484375, 0.0654296875, -1.578125], dtype=torch.bfloat16).as_strided((3, 3), (0, 1)), ), {}),
    ((torch.randn(1089, generator=G).to(torch.float32).reshape((1, 33, 33)), torch.tensor([-0.5976376533508301, 1.9090545177459717, -0.532234787940979, -0.32681211829185486, float("nan"), 1.036570429801941, -0.5039922595024109, 0.16592447459697723, float("inf"), -0.8618550300598145, -0.44483673572540283, 0.8159685134887695, 0.9725304245948792, -0.5137729644775391, 1.1919959783554077, -0.22605253756046295, 1.0000000150474662e+30, -2.2160823345184326, 0.6258172392845154, 0.717197835445404, -0.3294958770275116, 0.5039816498756409, float("inf"), 1.0000000150474662e+30, float("-inf"), -0.04005969315767288, -0.31641507148742676, 1.1267095804214478, 0.019718723371624947, float("nan"), -1.273062825202942, float("nan"), float("nan")], dtype=torch.float32).reshape((1, 33, 1)), torch.tensor([-0.9301308989524841, 0.9151843786239624, -1.094598412513733, 0.09967271983623505, -0.9710357785224915, 0.38293933868408203, -1.0690903663635254, 0.5614713430404663, 0.014638426713645458, 1.089735746383667], dtype=torch.float32).as_strided((33, 10), (0, 1)), torch.randn(1944, generator=G).to(torch.bfloat16).reshape((9, 8, 3, 9)), torch.randn(64, generator=G).to(torch.bfloat16).reshape((8, 8)), ), {}),
    ((torch.randn(1089, generator=G).to(torch.float32).reshape((1, 33, 33)), torch.tensor([-0.5976376533508301, 1.9090545177459717, -0.532234787940979, -0.32681211829185486, float("nan"), 1.036570429801941, -0.5039922595024109, 0.16592447459697723, float("inf"), -0.8618550300598145, -0.44483673572540283, 0.8159685134887695, 0.9725304245948792, -0.5137729644775391, 1.1919959783554077, -0.22605253756046295, 1.0000000150474662e+30, -2.2160823345184326, 0.6258172392845154, 0.717197835445404, -0.3294958770275116, 0.5039816498756409, float("inf"), 1.0000000150474662e+30, float("-inf"), -0.04005969315767288, -0.31641507148742676, 1.1267095804214478, 0.019718723371624947, float("nan"), -1.273062825202942, float("nan"), float("nan")], dtype=torch.float32).reshape((1, 33, 1)), torch.tensor([-0.9301308989524841, 0.9151843786239624, -1.094598412513733, 0.09967271983623505, -0.9710357785224915, 0.38293933868408203, -1.0690903663635254, 0.5614713430404663, 0.014638426713645458, 1.089735746383667], dtype=torch.float32).as_strided((33, 10), (0, 1)), torch.randn(1944, generator=G).to(torch.bfloat16).reshape((9, 8, 3, 9)), torch.randn(64, generator=G).to(torch.bfloat16).reshape((8, 8)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
