# programs, aot_eager.unbacked+spec on cpu: RAISED UserError: Could not guard on data-dependent expression Ne(u1**2, 0) (unhinted: Ne(u1**2, 0)). (Size-like symbols: u1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = x0.sort(0).values
    v7 = x0.clamp(max=x0.size(0))
    v8 = F.bilinear(x1, x2, x3, x4)
    v9_n = x5.sum().item()
    torch._check(v9_n >= 0)
    torch._check(v9_n <= x4.shape[0])
    v9 = x4[:v9_n]
    return (v6, v7, v8, v9)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec
DIMS = {0: {0: 'a'}, 1: {0: 'b'}, 2: {0: 'b', 1: 'b'}, 3: {2: 'b'}}
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
    ((torch.tensor([0.1953125, -1.421875, 0.201171875, 0.875, -0.73046875, 0.318359375, -1.7265625, -1.3671875, 0.08349609375, -1.6328125, 0.56640625, -0.154296875, 0.83984375, -0.8359375, 0.78515625], dtype=torch.bfloat16), torch.tensor([0.15036530792713165, 0.15036530792713165, 0.14755995571613312, 0.14755995571613312, -1.947245717048645], dtype=torch.float32).as_strided((3, 1), (2, 2)).data, torch.tensor([-0.9307044148445129, -1.756024718284607, -0.06463406980037689, -1.7561434507369995, 1.5642422437667847, 1.1854532957077026, -0.703441858291626, 0.14986123144626617, -0.6431252956390381], dtype=torch.float32).reshape((3, 3)).data, torch.tensor([1.1620874404907227, 0.5281677842140198, 0.8728855848312378], dtype=torch.float32).as_strided((2, 1, 3), (0, 3, 1)).data, torch.tensor([0.7986743450164795, 0.7986743450164795, 1.7408591508865356], dtype=torch.float32).as_strided((2,), (2,)).data, torch.tensor([False, False], dtype=torch.bool), ), {}),
    ((torch.tensor([1.09375, -0.142578125, 0.9765625, -0.279296875, 2.390625], dtype=torch.bfloat16), torch.tensor([1.0000000150474662e+30, 1.0000000150474662e+30, -0.28976574540138245, -0.28976574540138245, 0.5531952977180481], dtype=torch.float32).as_strided((3, 1), (2, 2)).data, torch.tensor([0.307280033826828, 0.504631757736206, -0.17451132833957672, 2.0190367698669434, 0.02009834162890911, -0.6213136911392212, -0.1177516058087349, -0.18059717118740082, 2.2673251628875732], dtype=torch.float32).reshape((3, 3)).data, torch.tensor([-0.3093309700489044, 0.8757821321487427, 0.5658010244369507], dtype=torch.float32).as_strided((2, 1, 3), (0, 3, 1)).data, torch.tensor([1.5073820352554321, 1.5073820352554321, 0.54640793800354], dtype=torch.float32).as_strided((2,), (2,)).data, torch.tensor([True, False], dtype=torch.bool), ), {}),
    ((torch.tensor([1.265625, -0.29296875, 0.4140625, -1.0625, 0.44140625, -0.51953125, 0.640625, 0.265625, -0.9609375], dtype=torch.bfloat16), torch.tensor([0.34504592418670654, 0.34504592418670654, -0.08796247839927673, -0.08796247839927673, 0.38499101996421814], dtype=torch.float32).as_strided((3, 1), (2, 2)).data, torch.tensor([0.06678737699985504, -1.07359778881073, -1.0913355350494385, 1.3248093128204346, 0.3922256529331207, 0.14424844086170197, 0.3048619329929352, -0.32065698504447937, -0.44016432762145996], dtype=torch.float32).reshape((3, 3)).data, torch.tensor([-0.49986839294433594, -0.0, -2.7761337757110596], dtype=torch.float32).as_strided((2, 1, 3), (0, 3, 1)).data, torch.tensor([0.3403991758823395, 0.3403991758823395, 0.2085001915693283], dtype=torch.float32).as_strided((2,), (2,)).data, torch.tensor([True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
