# torch_api, inductor.dynamic+config on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 3, actual 2 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.ops.aten._functional_assert_scalar.default(1.5, 'mean', x0)
    return parts(v0)

def program(x0):
    return torch.vmap(inner, in_dims=(0,))(x0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([0.21706171333789825, 1.3621400594711304, 0.490011066198349, 1.1236512660980225, -0.7432213425636292, 1.2145007848739624, -0.20228104293346405, 0.3428317606449127, 0.7691900730133057, 0.935460090637207, -0.9500678777694702, -0.8097800016403198], dtype=torch.float32).reshape((3, 2, 2)), ), {}),
    ((torch.tensor([-1.437738299369812, 0.08167177438735962, -0.6051211953163147, 2.394299030303955, -0.8750271201133728, 2.1403300762176514, -0.802850067615509, 0.9462127685546875], dtype=torch.float32).reshape((2, 2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
