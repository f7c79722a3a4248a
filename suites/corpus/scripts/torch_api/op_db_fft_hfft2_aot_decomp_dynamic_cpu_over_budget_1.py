# torch_api, aot_decomp.dynamic on cpu: OVER_BUDGET n0 == -1 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, n0):
    v0 = torch.fft.hfft2(x0, dim=(-3, -2, n0))
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([0.22652103006839752, 0.7172549366950989, 0.8346879482269287, 0.18188738822937012, -0.8241452574729919, 0.3071976602077484, 0.03866521269083023, -0.1289193034172058], dtype=torch.float32).reshape((2, 2, 2)), -1, ), {}),
    ((torch.tensor([-1.7097066640853882, 0.1150801032781601, 1.1893750429153442, 0.2687889337539673, -1.376240611076355, 1.1893798112869263, 0.3247758746147156, -0.14328594505786896], dtype=torch.float32).reshape((2, 2, 2)), 2, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
