# programs, aot_eager.unbacked+bounded on cpu: RAISED UserError: Could not guard on data-dependent expression u0 > 1 (unhinted: u0 > 1). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.affine_grid(x0, x1.shape, align_corners=False)
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a'}, 1: {0: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((1, 2, 3)), torch.tensor([0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((1, 1, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
