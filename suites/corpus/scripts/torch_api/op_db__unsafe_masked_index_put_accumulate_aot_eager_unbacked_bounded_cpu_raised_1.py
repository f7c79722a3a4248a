# torch_api, aot_eager.unbacked+bounded on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(4*u0, 0) (unhinted: Eq(4*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = torch._unsafe_masked_index_put_accumulate(x0, x1, [x2, x3, x4], x5)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {2: 'c'}, 1: {0: 'c', 1: 'c', 2: 'f'}, 2: {0: 'c'}, 3: {1: 'c'}, 4: {2: 'f'}, 5: {0: 'c', 1: 'c', 2: 'f'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0)), torch.tensor([], dtype=torch.bool).reshape((0, 0, 28)), torch.tensor([], dtype=torch.int64).reshape((0, 1, 1)), torch.tensor([], dtype=torch.int64).reshape((1, 0, 1)), torch.tensor([2, 4, 2, 1, 1, 2, 0, 2, 3, 1, 2, 0, 1, 0, 3, 2, 2, 4, 4, 2, 2, 2, 3, 0, 3, 3, 0, 2], dtype=torch.int64).reshape((1, 1, 28)), torch.tensor([], dtype=torch.float32).reshape((0, 0, 28)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
