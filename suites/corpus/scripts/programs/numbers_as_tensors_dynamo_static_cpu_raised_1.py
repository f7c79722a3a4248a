# programs, dynamo.static on cpu: RAISED InternalTorchDynamoError: PendingUnbackedSymbolNotFound: Pending unbacked symbols {u5} not in returned outputs FakeTensor(..., size=(Max(0, u0 + u5 - Min(9, u0)),), dtype=torch.int64) ((1,), Min(9, u0)).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = x1.sort().values.unbind()
    v2_0 = x0 + torch.ones(1, 1, device=x0.device).expand(v2_a, v2_b).sum()
    v2_1 = v2_0 + torch.ones(2, 9, 9, device=v2_0.device)[:, v2_a:v2_b, v2_c:].sum()
    v2_2 = v2_1 + torch.arange(9, device=v2_1.device).narrow(0, v2_a, v2_b - v2_a).sum()
    v2 = v2_2
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
