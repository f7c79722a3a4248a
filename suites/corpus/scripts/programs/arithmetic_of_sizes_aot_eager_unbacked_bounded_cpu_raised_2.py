# programs, aot_eager.unbacked+bounded on cpu: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0):
    v1_0 = F.pad(x0, (1, 1), value=x0.shape[3])[..., 1:-1]
    v1_1 = v1_0 + v1_0.new_ones(1).expand((1 << math.ceil(x0.shape[0] / 3) % 5) % 6).sum()
    v1 = v1_1
    return (v1,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {3: 'a'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([-67.65933990478516, 121.390869140625, -94.66265106201172, 153.7541961669922, 104.47675323486328, -117.05879974365234, -48.90705490112305, 24.472225189208984, 54.21709442138672, 186.73777770996094, -59.544307708740234, -13.539224624633789, 53.955078125, -78.77780151367188, 114.8405532836914, 103.33213806152344, -61.79045486450195, -127.06673431396484, 130.56005859375, 5.197761058807373, -12.145269393920898, 77.47946166992188, -81.3840560913086, 77.19485473632812, 92.52613067626953, 51.671791076660156, 22.744169235229492, 94.77831268310547, 204.99041748046875, -28.16080093383789, -54.0389404296875, -46.88214111328125], dtype=torch.float32).as_strided((2, 2, 2, 4), (16, 1, 8, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
