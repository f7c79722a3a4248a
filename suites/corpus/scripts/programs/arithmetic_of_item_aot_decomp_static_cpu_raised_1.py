# programs, aot_decomp.static on cpu: RAISED BackendCompilerFailed: backend='aot_eager_decomp_partition' raised: GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(Mod(Abs(u0) + 1, 2), 0) (unhinted: Eq(Mod(Abs(u0) + 1, 2), 0)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_n1 = x0.item()
    v2_0 = x1 + torch.linalg.vector_norm(x1, ord=abs(v2_n1) + 1)
    v2 = v2_0
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=False, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([4], dtype=torch.int64).reshape(()), torch.tensor([0.20723548531532288, 0.2698686420917511], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
