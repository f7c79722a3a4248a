# torch_api, aot_decomp.mark_dynamic on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(10*u0, 0) (unhinted: Eq(10*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = x0[x2]
    v1 = v0.reshape_as(x1)
    return parts(v1)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, None))(x0, x1, x2)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'batch'}, 1: {0: 'batch'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-jTQfdRlE3<5BiGW7p<OKSpsfna+|wJ!2=ZM&vNZuX&(AdR^czz2x~5LE', torch.int8).as_strided((1, 5, 2, 5), (1, 1, 5, 10)), torch.tensor([2, 7, -1, 1, -1, 8, -3, 0, -2, 5, -1, -2, 9, -2, -3, -4, -4, -4, 6, 0], dtype=torch.int8).reshape((1, 10, 2)), torch.tensor([False, True, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
