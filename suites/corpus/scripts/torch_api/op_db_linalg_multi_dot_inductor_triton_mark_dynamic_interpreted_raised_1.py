# torch_api, inductor_triton.mark_dynamic on interpreted: RAISED ConstraintViolationError: Constraints violated (L['x0'].size()[1], …)! - You marked L['x0'].size()[1] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.linalg.multi_dot([x0, x1, x2])
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {1: 'b'}, 1: {0: 'b'}, 2: {1: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([0, -1, 3, -2], dtype=torch.int8).reshape((2, 2)), torch.tensor([], dtype=torch.int8).reshape((2, 0)), torch.tensor([], dtype=torch.int8).reshape((0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
