# programs, aot_eager.unbacked+bounded on cpu: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3):
    v4, v5 = torch.lstm_cell(x0, (x1, x1), x2, x3)
    return (v4,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {1: {1: 'c'}, 2: {0: '4*c'}, 3: {0: '4*c', 1: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((2, 3)), torch.tensor([], dtype=torch.float32).reshape((2, 0)), torch.tensor([], dtype=torch.float32).reshape((0, 3)), torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
