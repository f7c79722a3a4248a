# torch_api, export_decomposed.named on cpu: RAISED build raised ValueError: 0 is not a valid value for reduction
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.nn.functional.margin_ranking_loss(x0, x1, x2, reduction='none')
    return parts(v0)

def program(x0, x1, x2):
    with torch.inference_mode():
        return inner(x0, x1, x2)
reference = program
example = (torch.zeros([8], dtype=torch.float32), torch.zeros([8], dtype=torch.float32), torch.zeros([8], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, {0: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([], dtype=torch.float32), torch.tensor([], dtype=torch.float32), torch.tensor([], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
