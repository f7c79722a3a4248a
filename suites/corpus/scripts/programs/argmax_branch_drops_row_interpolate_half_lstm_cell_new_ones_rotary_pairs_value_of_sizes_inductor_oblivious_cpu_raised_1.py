# programs, inductor.oblivious on cpu: RAISED InductorError: LoweringException: TypeError: cannot determine truth value of Relational: 3*(((2*TruncToInt(0.5*ToFloat(s74)) + 8)//(TruncToInt(0.5*ToFloat(s74))))) > 25
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = x0.argmax(-3, keepdim=True)
    v7_even, v7_odd = (x1[..., ::2], x1[..., 1::2])
    v7 = torch.stack((v7_even * x2 - v7_odd * x2, v7_even * x2 + v7_odd * x2), dim=-1).flatten(-2)
    v8, v9 = torch.lstm_cell(x2, (x3, x3), x4, x5)
    v10 = F.interpolate(x1, scale_factor=0.5, mode='area')
    v11_0 = v8 + v8[..., min(v8.shape[0] % 3, max(1, v8.shape[1])) % 4:min(v8.shape[0] % 3, max(1, v8.shape[1]))].sum()
    v11_1 = v11_0.masked_fill(v11_0 > 0, (lambda: 1 & v8.shape[0])())
    v11 = v11_1
    v12 = x1.new_ones((x1.shape[0] + 1, x1.shape[-1]))
    v13_y = x2[1:] if x2.shape[0] > 1 else x2
    v13 = v13_y + 1
    return (v6, v7, v9, v10, v11, v12, v13)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.240234375, -0.97265625], dtype=torch.bfloat16).reshape((2, 1, 1)), torch.tensor([], dtype=torch.bfloat16).reshape((0, 4, 5, 10)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16).as_strided((5, 5), (1, 5)), torch.tensor([-1.1953125, 0.734375, 0.59375], dtype=torch.bfloat16).as_strided((5, 3), (0, 1)), torch.randn(60, generator=G).to(torch.bfloat16).reshape((12, 5)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16).reshape((12, 3)), ), {}),
    ((torch.tensor([float("nan"), -1.140625], dtype=torch.bfloat16).reshape((2, 1, 1)), torch.tensor([], dtype=torch.bfloat16).reshape((0, 4, 6, 12)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16).as_strided((6, 6), (1, 6)), torch.tensor([-0.1796875, 0.66796875, -1.1953125], dtype=torch.bfloat16).as_strided((6, 3), (0, 1)), torch.randn(72, generator=G).to(torch.bfloat16).reshape((12, 6)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.bfloat16).reshape((12, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
