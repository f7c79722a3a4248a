# torch_api, inductor_triton.static on interpreted: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::choose_qparams_optimized() Expected a value of type 'int' for argument 'n_bins' but instead found type 'FakeTensor'.\nPosition: 2\nValue: FakeTensor(..., size
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten.choose_qparams_optimized.default(x0, 1, x1, 0.5, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=False, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
