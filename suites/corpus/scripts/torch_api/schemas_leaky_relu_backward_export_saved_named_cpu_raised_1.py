# torch_api, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 3 as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten.leaky_relu_backward.default(v0, x1, 1.5, True)
    return parts(v1)
reference = program
example = (torch.zeros([3], dtype=torch.float32), torch.zeros([0], dtype=torch.float32), torch.zeros([3], dtype=torch.bool))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a + 3}, {0: a}, {0: a + 3}),)

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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244], dtype=torch.float32), torch.tensor([], dtype=torch.float32), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
