# programs, aot_eager.oblivious on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: AssertionError: 0 not in VR[1, 2]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2 = x0.masked_fill(x1, float('-inf'))
    return (v2,)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape((1, 1)), torch.tensor([True], dtype=torch.bool).reshape((1, 1)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), torch.tensor([], dtype=torch.bool).reshape((0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
