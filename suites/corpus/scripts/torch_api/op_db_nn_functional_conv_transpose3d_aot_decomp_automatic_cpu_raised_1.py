# torch_api, aot_decomp.automatic on cpu: RAISED BackendCompilerFailed: backend='aot_eager_decomp_partition' raised: GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 <= 0 (unhinted: u0 <= 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.nn.functional.conv_transpose3d(x0, x1, stride=(3, x2, 1))
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(64, generator=G).to(torch.float32).reshape((2, 4, 2, 2, 2)), torch.randn(64, generator=G).to(torch.float32).reshape((4, 2, 2, 2, 2)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
