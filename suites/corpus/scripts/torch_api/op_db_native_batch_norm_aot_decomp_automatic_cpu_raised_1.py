# torch_api, aot_decomp.automatic on cpu: RAISED ZeroDivisionError: float division by zero
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = x0[x5]
    v1 = torch.native_batch_norm(v0, x1, x2, x3, x4, True, 0.5, 1e-05)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((4, 1)), torch.tensor([-1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548], dtype=torch.float32), torch.tensor([0.40334683656692505], dtype=torch.float32), torch.tensor([0.8380263447761536], dtype=torch.float32), torch.tensor([True, False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
