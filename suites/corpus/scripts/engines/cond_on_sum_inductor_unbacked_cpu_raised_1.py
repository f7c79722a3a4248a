# engines, inductor.unbacked on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(Max(1, u0), 1) (unhinted: Eq(Max(1, u0), 1)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def reference(x_BD):

    def positive(x):
        return torch.sin(x) + 1.0

    def negative(x):
        return x * x - 0.5
    return torch.cond(x_BD.sum() > 0, positive, negative, (x_BD,))
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(reference, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'batch'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name)
    return compiled(*args, **options)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(56, generator=G).to(torch.float32).as_strided((7, 8), (1, 7)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
