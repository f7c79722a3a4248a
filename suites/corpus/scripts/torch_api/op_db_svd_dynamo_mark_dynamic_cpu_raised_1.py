# torch_api, dynamo.mark_dynamic on cpu: RAISED ConstraintViolationError: Constraints violated (L['x0'].size()[1], …)! - You marked L['x0'].size()[1] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.svd(x0)
    return parts(v0)

def program(x0):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a', 1: 'b', 2: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
