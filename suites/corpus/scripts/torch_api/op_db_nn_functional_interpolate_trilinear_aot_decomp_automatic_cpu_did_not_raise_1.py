# torch_api, aot_decomp.automatic on cpu: DID_NOT_RAISE eager raises NotImplementedError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.interpolate(x0, (3, 3, 3))
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([0, -1, 3, -2, -3, 5, 9, -1, 7, 1, 5, -4, 4, 1, -2, 0, 0, -2, 0, 5, 2, 5, 7, -2, 0, 7, -3, -1, -3, 0, -3, -4], dtype=torch.int32).reshape((2, 2, 2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    try:
        reference(*copy.deepcopy(args), **options)
    except Exception as error:
        try:
            implementation(*args, **options)
        except Exception:
            continue
        sys.exit(f"call {number} raises in eager ({error}) and not when compiled")
    implementation(*args, **options)
