# programs, dynamo.once on cpu: RAISED InternalTorchDynamoError: PendingUnbackedSymbolNotFound: Pending unbacked symbols {u0, u1} not in returned outputs FakeTensor(..., size=(s4, s40)) ((s40, 1), 0).
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = x1.sort().values.unbind()
    v2_0 = x0.roll((v2_a, v2_b), (0, -1))
    v2 = v2_0
    return (v2,)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(240, generator=G).to(torch.float32).reshape((8, 30)), torch.tensor([5, 5, 2, 6], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
