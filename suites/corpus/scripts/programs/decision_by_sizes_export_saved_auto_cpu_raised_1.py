# programs, export_saved.auto on cpu: RAISED build raised SerializeError: Failed serializing node floor in graph: %floor : [num_users=1] = call_function[target=math.floor](args = (%truediv,), kwargs = {})
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import math

def program(x0):
    v1_0 = x0 + x0[math.floor(x0.shape[2] / (x0.shape[0] or 1)) % x0.shape[0]]
    v1 = v1_0
    return (v1,)
reference = program
example = (torch.zeros([2, 1, 10], dtype=torch.float32),)
dynamic_shapes = (({2: torch.export.Dim.AUTO},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
