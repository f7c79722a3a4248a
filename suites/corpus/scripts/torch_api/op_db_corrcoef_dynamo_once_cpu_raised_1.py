# torch_api, dynamo.once on cpu: RAISED Unsupported: Data dependent operator
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.corrcoef(x0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=True, fullgraph=True)

def implementation(*args, **options):
    stance = torch.compiler.set_stance('eager_on_recompile' if CALLED else 'default')
    CALLED.append(True)
    with stance:
        return compiled(*args, **options)
CALLED = []

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
