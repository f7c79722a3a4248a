# torch_api, aot_eager.oblivious on cpu: RAISED BackendCompilerFailed: backend='aot_eager' raised: RuntimeError: aten::frobenius_norm() Expected a value of type 'List[int]' for argument 'dim' but instead found type 'immutable_list'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten.frobenius_norm.dim(x0, [x1])
    return parts(v0)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
