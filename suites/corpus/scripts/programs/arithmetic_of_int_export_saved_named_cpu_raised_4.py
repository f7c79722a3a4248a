# programs, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[1] in the specified range satisfy the generated guard ((3 + L['args'][0].size()[1]) % 4) <= L['args'][0].size()[1].
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1):
    v2_0 = x0 + x0[..., (x0.shape[1] + n1) % 4:x0.shape[1] + n1].sum()
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros(36, dtype=torch.float32).as_strided([2, 3, 3], [18, 6, 2], 0), 3)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a, 2: a}, None),)

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
    ((torch.tensor([-0.7645072340965271, -0.7645072340965271, 1.0000000150474662e+30, 1.0000000150474662e+30, 0.18409444391727448, 0.18409444391727448, 0.18389277160167694, 0.18389277160167694, 0.8950446248054504, 0.8950446248054504, 1.6333123445510864, 1.6333123445510864, -0.0843624398112297, -0.0843624398112297, float("inf"), float("inf"), float("inf"), float("inf"), 0.16027389466762543, 0.16027389466762543, 0.27063632011413574, 0.27063632011413574, -0.30868440866470337, -0.30868440866470337, float("nan"), float("nan"), 9.99994610111476e-41, 9.99994610111476e-41, 0.26379990577697754, 0.26379990577697754, 9.99994610111476e-41, 9.99994610111476e-41, float("nan"), float("nan"), 0.1547631323337555], dtype=torch.float32).as_strided((2, 3, 3), (18, 6, 2)), 3, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
