# torch_api, dynamo.automatic on cpu: OVER_BUDGET n0 == 0.0 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, n0):
    v0 = torch.addmm(x0, x1, x2, beta=n0)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([1.2670979499816895, -0.29203104972839355, 0.41492101550102234, -1.0612528324127197], dtype=torch.float32).reshape((2, 2)), torch.tensor([0.4419991970062256, -0.5180734395980835, 0.6399338841438293, 0.26637277007102966], dtype=torch.float32).reshape((2, 2)), torch.tensor([-0.9605083465576172, -0.9605083465576172, 0.34504592418670654, 0.34504592418670654, -0.08796247839927673, -0.08796247839927673, 0.38499101996421814], dtype=torch.float32).as_strided((2, 2), (4, 2)), 0.2, ), {}),
    ((torch.tensor([-52.19798278808594, -132.55355834960938, 148.90740966796875, 17.839740753173828], dtype=torch.float32).reshape((2, 2)), torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((2, 2), (1, 2)), torch.tensor([float("inf"), float("nan"), float("-inf"), 0.6635850071907043], dtype=torch.float32).reshape((2, 2)), 0.0, ), {}),
    ((torch.tensor([0.24478329718112946, 0.21386264264583588, -1.2474827766418457, -0.4879816770553589], dtype=torch.float32).reshape((2, 2)), torch.tensor([96.46763610839844, -1.1164757013320923, -45.43890380859375, 76.2375259399414], dtype=torch.float32).as_strided((2, 2), (1, 2)), torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((2, 2)), 0.2, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
