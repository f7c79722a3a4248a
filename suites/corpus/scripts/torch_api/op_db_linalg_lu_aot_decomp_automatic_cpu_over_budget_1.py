# torch_api, aot_decomp.automatic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 2. expected 0, actual 5 (compiles 6, allowed 5)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.linalg.lu(x0, pivot=True)
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((8, 7, 0)), ), {}),
    ((torch.full((4862,), 0.0, dtype=torch.float32).as_strided((11, 17, 26), (26, 286, 1)), ), {}),
    ((torch.full((3432,), 0.0, dtype=torch.float32).reshape((8, 13, 33)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((8, 18, 0)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((5, 13, 0)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((5, 13, 0)), ), {}),
    ((torch.full((3432,), 0.0, dtype=torch.float32).reshape((8, 13, 33)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 32, 2)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((8, 13, 0)), ), {}),
    ((torch.full((520,), 0.0, dtype=torch.float32).as_strided((8, 13, 5), (5, 40, 1)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((8, 13, 0)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 5:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {5} suffice")
