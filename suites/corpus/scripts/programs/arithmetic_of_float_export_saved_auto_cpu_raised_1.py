# programs, export_saved.auto on cpu: RAISED build raised SerializeError: Failed serializing node round_1 in graph: %round_1 : [num_users=1] = call_function[target=builtins.round](args = (%truediv, None), kwargs = {})
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, s1):
    v2_0 = x0 * (x0 > round(x0.shape[2] / 2) + s1)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2, 2, 9, 2], dtype=torch.float32), 1.0)
dynamic_shapes = (({2: torch.export.Dim.AUTO}, None),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((2, 2, 0, 2)), 1.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
