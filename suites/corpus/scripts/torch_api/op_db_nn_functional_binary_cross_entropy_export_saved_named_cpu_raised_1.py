# torch_api, export_saved.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, 2)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.nn.functional.binary_cross_entropy(v0, x1)
    return parts(v1)
reference = program
example = (torch.zeros([5, 2, 2], dtype=torch.float32), torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
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
    ((torch.tensor([0.2373167723417282, 0.8868191242218018, 0.7007982730865479, 0.7181026339530945, 0.5236662030220032, 0.269292414188385, 0.576133131980896, 0.0798373743891716, 0.17484518885612488, 0.26801151037216187, 0.7839220762252808, 0.7638445496559143, 0.30042722821235657, 0.4837629199028015, 0.7878022789955139, 0.9473599195480347, 0.6785969734191895, 0.5607917904853821, 0.8017188310623169, 0.23503893613815308], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([0.6768544316291809, 0.8728471994400024, 0.8915932774543762, 0.8970605134963989, 0.5895565152168274, 0.10868780314922333, 0.5413966178894043, 0.21847759187221527], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([False, False, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
