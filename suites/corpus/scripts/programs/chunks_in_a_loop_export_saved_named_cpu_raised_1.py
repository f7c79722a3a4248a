# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((3 + L['args'][0].size()[0]) // 4) == 2.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_parts = []
    for v1_part in x0.split(4):
        v1_parts.append(v1_part * 2)
    v1 = torch.cat(v1_parts)
    return (v1,)
reference = program
example = (torch.zeros([8, 8, 8, 8], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a, 1: a, 2: a, 3: a},),)

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
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 0, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
