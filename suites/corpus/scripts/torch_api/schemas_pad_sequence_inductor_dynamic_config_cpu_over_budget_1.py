# torch_api, inductor.dynamic+config on cpu: OVER_BUDGET x1.size()[0] > x0.size()[0] (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.ops.aten.pad_sequence.default([x0, x1])
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

calls = [
    ((torch.tensor([0.10359743237495422, -0.035024724900722504, 0.9028025269508362, 2.317195415496826], dtype=torch.float32).reshape((2, 2)), torch.tensor([-0.2309863567352295, 0.7776310443878174, -0.08831986784934998, -0.06555525213479996, 0.04773039370775223, 1.2296644449234009], dtype=torch.float32).reshape((3, 2)), ), {}),
    ((torch.tensor([1.2670979499816895, -0.29203104972839355, 0.41492101550102234, -1.0612528324127197], dtype=torch.float32).reshape((2, 2)), torch.tensor([0.4419991970062256, -0.5180734395980835, 0.6399338841438293, 0.26637277007102966], dtype=torch.float32).reshape((2, 2)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
