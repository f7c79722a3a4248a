# programs, dynamo.unbacked on cpu: RAISED UserError: Could not guard on data-dependent expression u0 < 2 (unhinted: u0 < 2). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.affine_grid(x0, x1.shape, align_corners=False)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {1: {2: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, 0.5666506290435791, 0.7935083508491516, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.1577124446630478, -0.1733967512845993, 0.18347793817520142, 1.3893661499023438, 1.586334228515625, 0.946298360824585, -0.843676745891571, 0.9318265914916992, 1.2590092420578003], dtype=torch.float32).reshape((3, 2, 3)), torch.tensor([0.40871575474739075, 1.4214179515838623, 0.14939700067043304, -0.6708600521087646, -0.2141861468553543, -0.4319688677787781], dtype=torch.float32).reshape((3, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
