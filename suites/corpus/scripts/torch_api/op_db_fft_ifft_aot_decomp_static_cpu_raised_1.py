# torch_api, aot_decomp.static on cpu: RAISED Unsupported: Attempted to call op with non-contiguous `out=` tensor
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.fft.ifft(x0)
    v1 = torch.zeros_like(v0)
    v2 = torch.fft.ifft(x0, out=v1)
    return parts(v2)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=False, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -1.0845223665237427, -1.3985954523086548, -2.1787893772125244, 0.5684312582015991, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).as_strided((2, 2, 2), (2, 4, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
