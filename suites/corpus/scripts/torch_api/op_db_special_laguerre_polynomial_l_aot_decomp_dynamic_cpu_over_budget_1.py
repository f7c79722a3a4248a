# torch_api, aot_decomp.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 3, actual 8 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.special.laguerre_polynomial_l(x0, x1)
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, 0))(x0, x1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([-0.0, 0.6038804650306702, 0.17991869151592255, 1.9729859828948975, 1.5567052364349365, -0.2959074378013611], dtype=torch.float32).reshape((3, 2)), torch.tensor([-1.9441516399383545, 1.7877215147018433, 2.152991771697998], dtype=torch.float32), ), {}),
    ((torch.tensor([1.162941813468933, 9.99994610111476e-41, 1.523543357849121, float("inf"), 1.9495062828063965, -0.0, -0.5209693312644958, 0.28783267736434937, float("nan"), 0.42765143513679504, 0.24984988570213318, 0.3490806221961975, 0.09619685262441635, float("nan"), -0.0, float("inf")], dtype=torch.float32).reshape((8, 2)), torch.tensor([-2.5430562496185303, -1.014073371887207, -0.026750905439257622, 0.3403991758823395, 0.4155450761318207, 0.43596896529197693, 0.4655615985393524, 0.8233800530433655], dtype=torch.float32), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
