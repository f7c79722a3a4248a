# torch_api, aot_decomp.static on cpu: RAISED BackendCompilerFailed: backend='aot_eager_decomp_partition' raised: RuntimeError: Cannot set version_counter for inference tensor
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.unbind(x0)
    return parts(v0)

def program(x0):
    with torch.inference_mode():
        return inner(x0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=False, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
