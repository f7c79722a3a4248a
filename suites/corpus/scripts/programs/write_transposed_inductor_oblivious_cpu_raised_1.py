# programs, inductor.oblivious on cpu: RAISED InductorError: LoweringException: TypeError: evaluate_min(9223372036854775807, s4) with unbacked symints
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_t = x0.transpose(0, -1)
    v1_t[1:].mul_(2)
    v1 = x0
    return (v1,)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((2, 2), (1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
