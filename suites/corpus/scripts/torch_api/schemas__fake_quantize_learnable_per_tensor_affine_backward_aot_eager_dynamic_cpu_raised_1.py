# torch_api, aot_eager.dynamic on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::_fake_quantize_learnable_per_tensor_affine_backward() Expected a value of type 'int' for argument 'quant_max' but instead found type 'FakeTensor'.\nPosition
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4):
    v0 = torch.ops.aten._fake_quantize_learnable_per_tensor_affine_backward.default(x0, x1, x2, x3, 0, x4)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32), torch.tensor([-1.0845223665237427, -1.3985954523086548], dtype=torch.float32), torch.tensor([0.40334683656692505, 0.8380263447761536], dtype=torch.float32), torch.tensor([0], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
