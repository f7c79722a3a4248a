# torch_api, export_saved.bounded on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 0) (unhinted: Eq(u0, 0)). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x1.item()
    v1 = torch.masked.var(x0, dim=[0, v0])
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.complex128), torch.zeros([], dtype=torch.int64))
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
inside = implementation

def implementation(*args):
    if True:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([(1.5409960746765137-0.7192575931549072j), (-0.293428897857666-0.40334352850914j), (-2.1787893772125244-0.5966353416442871j), (0.5684312582015991+0.18203648924827576j), (-1.0845223665237427-0.8566746115684509j), (-1.3985954523086548+1.1006041765213013j), (0.40334683656692505-1.0711873769760132j), (0.8380263447761536+0.1227012425661087j)], dtype=torch.complex128).reshape((2, 2, 2)), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
