# programs, aot_decomp.automatic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 2, actual 3 (it had changed before) (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = x0 * x0.size(0)
    return (v1,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.complex64).reshape((0, 2)), ), {}),
    ((torch.tensor([(1.5409960746765137-1.0845223665237427j), (-0.293428897857666-1.3985954523086548j)], dtype=torch.complex64).as_strided((2, 2), (0, 1)), ), {}),
    ((torch.tensor([(1.5409960746765137+0.40334683656692505j), (-0.293428897857666+0.8380263447761536j)], dtype=torch.complex64).as_strided((3, 2), (0, 1)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
