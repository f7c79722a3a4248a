# torch_api, inductor_triton.static on interpreted: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::_ncf_unsqueeze() Expected a value of type 'int' for argument 'ndim' but instead found type 'FakeTensor'.\nPosition: 1\nValue: FakeTensor(..., size=(), dtype=t
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten._ncf_unsqueeze.default(x0, x1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=False, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
