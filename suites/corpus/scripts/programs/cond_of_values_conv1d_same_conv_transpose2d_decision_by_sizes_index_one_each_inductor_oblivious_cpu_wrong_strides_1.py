# programs, inductor.oblivious on cpu: WRONG_STRIDES [3] other strides than eager's, and it keeps the memory format of an argument (got [6, 3, 1], expected [3, 6, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F
import math

def program(x0, x1, x2, x3, x4, x5):
    v6 = F.conv_transpose2d(x0, x1, x2, stride=2, padding=0, output_padding=0)
    v7 = torch.cond((x1 > 0).any(), torch.sin, torch.cos, (x1,))
    v8 = F.conv1d(x3, x4, padding='same', dilation=1)
    v9 = v8[torch.arange(v8.shape[0], device=v8.device), x5]
    v10_0 = x4 * math.floor(x4.shape[0] / 3)
    v10_1 = v10_0 + v10_0[-1 - int(x4.shape[1] % 2 == 0) // (1 << x4.shape[0] % 5) % v10_0.shape[0]]
    v10_2 = v10_1 + v10_1.new_ones(min(x4.shape[1], x4.shape[1]) % 5, min(x4.shape[1], x4.shape[1]) % 3 + 1).sum()
    v10 = v10_2
    return (v6, v7, v9, v10)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(96, generator=G).to(torch.bfloat16).reshape((2, 8, 2, 3)), torch.randn(288, generator=G).to(torch.bfloat16).reshape((8, 4, 3, 3)), torch.tensor([-88.0, 159.0, 0.021484375, -12.9375], dtype=torch.bfloat16), torch.tensor([-0.07958984375, -1.2890625, -1.3203125, 0.012451171875, 1.3046875, -3.234375, 0.1376953125, -1.1328125], dtype=torch.bfloat16).as_strided((1, 2, 4), (1, 1, 2)), torch.tensor([float("nan"), 0.13671875, 0.14453125, 0.322265625, -2.4375, -0.6171875, -0.9453125, -1.59375, -0.0, 0.37890625, -1.3046875, -0.349609375], dtype=torch.bfloat16).reshape((2, 2, 3)), torch.tensor([1], dtype=torch.int64), ), {}),
    ((torch.tensor([89.0, -80.5, -44.25, 92.5, 32.5, -0.259765625, -129.0, -14.3125, -97.5, 113.5, -158.0, 34.5, -124.0, 33.5, 239.0, -137.0], dtype=torch.bfloat16).reshape((1, 8, 1, 2)), torch.randn(575, generator=G).to(torch.bfloat16).as_strided((8, 4, 3, 3), (72, 18, 6, 2)), torch.tensor([122.0, 161.0, 41.75, 77.0], dtype=torch.bfloat16), torch.tensor([-0.6953125, 1.0390625, -1.0234375, 0.81640625, 1.09375, -0.5078125, -2.171875, 0.82421875], dtype=torch.bfloat16).reshape((1, 2, 4)), torch.tensor([-1.015625, 0.18359375, 0.89453125, -0.8984375, -0.85546875, -0.0966796875, -0.55859375, 0.7421875, 0.1875, 0.875, -0.2578125, 0.5078125], dtype=torch.bfloat16).as_strided((2, 2, 3), (3, 6, 1)), torch.tensor([1], dtype=torch.int64), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
