# torch_api, export_saved.named on cpu: RAISED build raised AssertionError: Expected op to be '==', got <= for d <= 9223372036854775809/2
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.conv1d(x0, x1, padding='same', groups=2, dilation=(2,))
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([2, 1, 2], dtype=torch.float32))
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({}, {2: d}),)

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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
