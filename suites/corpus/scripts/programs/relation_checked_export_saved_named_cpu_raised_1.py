# programs, export_saved.named on cpu: RAISED build raised SerializeError: Failed serializing node abs_3 in graph: %abs_3 : [num_users=1] = call_function[target=operator.abs](args = (%item,), kwargs = {})
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1):
    v2_a = (x1[0] + 1).item()
    v2_b = (x1[1] + 1).item()
    torch._check(v2_a >= 0)
    torch._check(v2_b >= 0)
    torch._check(v2_b + abs(v2_a) <= 18)
    v2_y = x0 * v2_a if v2_b + abs(v2_a) <= 18 else x0 + v2_b
    v2 = v2_y
    return (v2,)
reference = program
example = (torch.zeros([2, 1, 2], dtype=torch.float32), torch.zeros([4], dtype=torch.int64))
dynamic_shapes = None

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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 1, 2)), torch.tensor([1, 3, 5, 2], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
