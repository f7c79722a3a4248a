# torch_api, aot_decomp.automatic on cpu: RAISED UserError: Could not guard on data-dependent expression Eq(2, u0) (unhinted: Eq(2, u0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4):
    v0 = x2[x4]
    v1 = torch.nn.functional.bilinear(x0, x1, v0, x3)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), torch.tensor([-2.1787893772125244, 0.5684312582015991], dtype=torch.float32), torch.tensor([-0.35612836480140686, 0.4372227191925049, 0.4913049638271332, -0.20410172641277313, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, -0.6135830879211426, 0.03159274160861969, -0.4926769733428955, 0.2484147548675537, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133, -0.10230965167284012, 0.7924439907073975, -0.28966769576072693, 0.05250748619437218], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([0.9398099184036255, 0.7748488187789917], dtype=torch.float32), torch.tensor([False, False, False, True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
