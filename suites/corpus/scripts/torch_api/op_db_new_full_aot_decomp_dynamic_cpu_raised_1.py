# torch_api, aot_decomp.dynamic on cpu: RAISED InternalTorchDynamoError: PendingUnbackedSymbolNotFound: Pending unbacked symbols {zuf0} not in returned outputs FakeTensor(..., size=(2, 3), dtype=torch.complex64) ((3, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.new_full((2, 3), x1, dtype=torch.complex64)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([3.611605167388916], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
