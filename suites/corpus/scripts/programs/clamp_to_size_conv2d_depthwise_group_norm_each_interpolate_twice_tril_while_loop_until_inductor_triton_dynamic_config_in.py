# programs, inductor_triton.dynamic+config on interpreted: RAISED InductorError: LoweringException: TypeError: cannot determine truth value of Relational: 2*(((4*s24 + 3)//(2*s24))) > 25
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.group_norm(x0, x0.shape[1], x1)
    v5 = F.interpolate(x2, scale_factor=2, mode='area')
    v6 = x0.tril(2)
    v7 = v4.clamp(max=v4.size(-3))
    v8_x = x2.clone(memory_format=torch.contiguous_format)
    v8, v9 = torch._higher_order_ops.while_loop(lambda i, part: (i < 4) & (part > 2).any(), lambda i, part: (i + 1, part.clamp(max=4 - i)), (torch.zeros((), dtype=torch.int64, device=x2.device), v8_x))
    v10 = F.conv2d(x2, x3, padding=1, groups=x2.shape[1])
    return (v5, v6, v7, v8, v9, v10)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([1.1640625, -0.953125, 1.5234375, 0.4921875, 1.953125, -0.30859375, -0.51953125, 0.287109375, -0.1259765625], dtype=torch.bfloat16).as_strided((3, 3, 3), (0, 3, 1)), torch.tensor([1.0, 0.6875, -2.09375], dtype=torch.bfloat16), torch.full((225,), 0.0, dtype=torch.bfloat16).as_strided((5, 3, 3, 5), (1, 5, 15, 45)), torch.tensor([1.1015625, -0.396484375, -1.234375, 0.42578125, float("inf"), -1.765625, float("nan"), 0.75390625, 0.1025390625, 1.1484375, -0.98828125, 9.183549615799121e-41, -0.435546875, -1.7890625, -1.3515625, 0.154296875, -0.7578125, -1.890625, -1.0625, 0.6640625, 0.275390625, 0.2255859375, -2.15625, 0.287109375, 1.21875, 9.183549615799121e-41, 9.183549615799121e-41], dtype=torch.bfloat16).reshape((3, 1, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
