# torch_api, export.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x1.item()
    v1 = torch.istft(x0, n_fft=v0)
    return parts(v1)
reference = program
example = (torch.zeros([6, 2], dtype=torch.complex64), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([(1.5409960746765137-0.8566746115684509j), (-0.293428897857666+1.1006041765213013j), (-2.1787893772125244-1.0711873769760132j), (0.5684312582015991+0.1227012425661087j), (-1.0845223665237427-0.5663174986839294j), (-1.3985954523086548+0.3731146454811096j), (0.40334683656692505-0.8919953107833862j), (0.8380263447761536-1.5091077089309692j), (-0.7192575931549072+0.3703935444355011j), (-0.40334352850914+1.4565025568008423j), (-0.5966353416442871+0.9398099184036255j), (0.18203648924827576+0.7748488187789917j)], dtype=torch.complex64).reshape((6, 2)), torch.tensor([10], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
