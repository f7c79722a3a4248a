# torch_api, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (a)*(a) == 1 or (4*(a)*(a)) == ((a)*(a)*min(4, 4*(a)))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.nn.functional.instance_norm(x0, running_mean=x1, running_var=x2)
    return parts(v0)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, 0))(x0, x1, x2)
reference = program
example = (torch.zeros([17, 8, 8, 2, 2], dtype=torch.float32), torch.zeros(136, dtype=torch.float32).as_strided([17, 8], [1, 17], 0), torch.zeros(137, dtype=torch.float32).as_strided([17, 8], [8, 1], 1))
batch = torch.export.Dim('batch', min=1)
a = torch.export.Dim('a', min=1)
d = torch.export.Dim('d')
dynamic_shapes = (({0: batch, 1: a, 2: a, 4: d}, {0: batch, 1: a}, {0: batch, 1: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(288, generator=G).to(torch.float32).reshape((12, 1, 1, 2, 12)), torch.tensor([115.54107666015625, 8.281023979187012, -30.568429946899414, 23.880735397338867, -79.31061553955078, -20.660890579223633, 76.44503784179688, 234.4601593017578, -175.16798400878906, 87.80694580078125, -16.837173461914062, 165.9799346923828], dtype=torch.float32).reshape((12, 1)), torch.tensor([0.17380177974700928, -2.814694881439209, -1.416730284690857, -0.5824519395828247, 0.2830372750759125, 1.0579925775527954, -0.8859367370605469, -1.3490170240402222, 0.1770000159740448, 1.407448172569275, -0.013246203772723675, 0.4257495105266571], dtype=torch.float32).reshape((12, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
