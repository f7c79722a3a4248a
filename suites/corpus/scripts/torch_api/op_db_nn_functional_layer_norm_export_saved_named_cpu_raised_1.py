# torch_api, export_saved.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression zuf0 (unhinted: zuf0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.layer_norm(x0, (2, 3), eps=x1)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 3], dtype=torch.float32), torch.zeros([], dtype=torch.float32))
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
    ((torch.tensor([4.947308540344238, 5.774446487426758, -3.973021984100342, 3.270799398422241, -3.893850803375244, 2.8211474418640137, -4.702395439147949, 4.163121223449707, 1.822007417678833, -3.522088050842285, -4.414461135864258, 2.3285136222839355], dtype=torch.float32).reshape((2, 2, 3)), torch.tensor([-0.5], dtype=torch.float32).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
