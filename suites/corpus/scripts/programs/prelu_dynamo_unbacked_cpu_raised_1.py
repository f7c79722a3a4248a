# programs, dynamo.unbacked on cpu: RAISED UserError: Could not guard on data-dependent expression Ne(u0, 1) (unhinted: Ne(u0, 1)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.prelu(x1, x0)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a'}, 1: {1: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.float32), torch.tensor([], dtype=torch.float32).reshape((2, 0, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
