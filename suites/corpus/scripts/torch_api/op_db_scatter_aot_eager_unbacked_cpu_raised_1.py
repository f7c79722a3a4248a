# torch_api, aot_eager.unbacked on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(2*u0, 0) (unhinted: Eq(2*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.scatter(x0, 0, x1, x2)
    return parts(v0)

def program(x0, x1, x2):
    outputs, tangents = torch.func.jvp(lambda x0, x2: inner(x0, x1, x2), (x0, x2), tuple(map(torch.ones_like, (x0, x2))))
    return (*outputs, *tangents)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {1: 'b'}, 1: {0: 'b'}, 2: {0: 'b', 1: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((2, 5)), torch.tensor([0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1], dtype=torch.int64).reshape((5, 5)), torch.tensor([-0.678746223449707, 0.9382607340812683, 0.4888698160648346, -0.6730899214744568, 0.8728312253952026, 1.0553574562072754, 0.17784371972084045, -0.23033547401428223, -0.30670419335365295, -0.4731197953224182, 0.3355507552623749, 1.5091218948364258, 2.0819554328918457, 1.7067116498947144, 2.3803675174713135, -1.1256016492843628, -0.31699809432029724, -0.14067143201828003, 0.8057535886764526, 0.32761430740356445, -0.7607071995735168, -1.5990819931030273, 0.018486667424440384, -0.7504268288612366, 0.18540798127651215], dtype=torch.float32).reshape((5, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
