# torch_api, inductor_triton.unbacked+hinted on interpreted: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2, x3, x4):
    v0 = torch.native_batch_norm(x0, x1, x2, x3, x4, False, 0.5, 1e-05)
    return parts(v0)

def program(x0, x1, x2, x3, x4):
    return torch.vmap(inner, in_dims=(0, 0, 0, 0, 0))(x0, x1, x2, x3, x4)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'batch'}, 1: {0: 'batch'}, 2: {0: 'batch'}, 3: {0: 'batch'}, 4: {0: 'batch'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, hint_override=64)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-2.0, -1.0], dtype=torch.float32).reshape((1, 2, 1)), torch.tensor([-2.0], dtype=torch.float32).reshape((1, 1)), torch.tensor([0.0], dtype=torch.float32).reshape((1, 1)), torch.tensor([0.0], dtype=torch.float32).reshape((1, 1)), torch.tensor([0.30153676867485046], dtype=torch.float32).reshape((1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
