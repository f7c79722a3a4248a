# torch_api, dynamo.mark_dynamic on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: AssertionError: 16 not in VR[2, 5]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.ops.aten._log_softmax_backward_data.default(x0, v0, 1, 1)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a', 1: 'b'}, 1: {1: 'd'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([36.036712646484375, -150.0628204345703, 110.7138671875, 10.863505363464355, 19.415443420410156, 97.56080627441406, -32.132904052734375, 146.01467895507812, -59.449283599853516, 49.45926284790039, -21.03663444519043, -37.94961929321289, -78.10441589355469, -10.510151863098145, 26.856704711914062, 179.93206787109375], dtype=torch.float64).reshape((16, 1)), torch.tensor([-164.73097229003906, -199.1986083984375, -114.93140411376953, -6.215560436248779, 13.590229988098145, 5.323768138885498, 168.59713745117188, 3.777769088745117, 93.73973083496094, -18.178743362426758], dtype=torch.float64).reshape((5, 2)), torch.tensor([True, False, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
