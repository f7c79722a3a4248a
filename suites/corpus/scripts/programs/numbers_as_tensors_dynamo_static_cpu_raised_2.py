# programs, dynamo.static on cpu: RAISED InternalTorchDynamoError: PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u1} not in returned outputs FakeTensor(..., size=(u0 + u1 + 2,)) ((1,), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = x1.sort().values.unbind()
    v2_0 = x0 + F.pad(x0, (v2_a, v2_b)).sum()
    v2 = v2_0
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=False, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([3, 3, 3, 7], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
