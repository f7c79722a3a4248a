# programs, aot_decomp.unbacked on cpu: RAISED UserError: Could not guard on data-dependent expression 1 > u0 (unhinted: 1 > u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.unique(x0, dim=0)
    v2 = v1.diff(1, 0)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([True, False, True, True, True, False, True, False], dtype=torch.bool).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
