# torch_api, inductor.unbacked+bounded on cpu: RAISED BackendCompilerFailed: backend='inductor' raised: RuntimeError: Complex dtype is not supported for isneginf, got dtype torch.complex64
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nan_to_num(x0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([(1.5409960746765137-2.1787893772125244j), (-0.293428897857666+0.5684312582015991j)], dtype=torch.complex64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
