# torch_api, aot_decomp.mark_dynamic on cpu: RAISED ConstraintViolationError: Constraints violated (L['x0'].size()[2])! - You marked L['x0'].size()[2] as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If yo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.fft.rfft(x0, norm='ortho')
    return parts(v0)

def program(x0):

    def taken(x0):
        return tuple((part.clone() for part in inner(x0)))

    def left(x0):
        return tuple((torch.zeros_like(part) for part in inner(x0)))
    return torch.cond(x0.sum() > 0, taken, left, (x0,))
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {2: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1], dtype=torch.int32).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
