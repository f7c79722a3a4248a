# programs, aot_decomp.unbacked on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, 2)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.scaled_dot_product_attention(x0, x0, x1, attn_mask=x0)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'b', 1: 'b', 2: 'b', 3: 'b'}, 1: {0: 'b', 1: 'b', 2: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1, 1, 1)), torch.tensor([-0.293428897857666, -2.1787893772125244], dtype=torch.float32).reshape((1, 1, 1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
