# torch_api, inductor_triton.dynamic+config on interpreted: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 2, actual 8 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.cummax(x0, 0)
    return parts(v0)

def program(x0):
    return torch.vmap(inner, in_dims=(0,))(x0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([0.5282926559448242, float("-inf")], dtype=torch.float32), ), {}),
    ((torch.tensor([-0.4669108986854553, 1.9088855981826782, float("nan"), 1.7913262844085693, 0.2702668309211731, -0.259415864944458, -1.415863275527954, -1.2600090503692627], dtype=torch.float32), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
