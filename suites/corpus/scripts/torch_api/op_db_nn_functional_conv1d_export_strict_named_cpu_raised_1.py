# torch_api, export_strict.named on cpu: RAISED build raised UserError: Could not guard on data-dependent expression u0 <= 0 (unhinted: u0 <= 0). (Size-like symbols: none)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x2.item()
    v1 = torch.nn.functional.conv1d(x0, x1, stride=(v0,))
    return parts(v1)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32), torch.zeros([1, 2, 9], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
b = torch.export.Dim('b', min=3)
dynamic_shapes = (({1: b}, {2: b}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((2, 13)), torch.tensor([0.7504034042358398, -0.06666198372840881, -1.3512399196624756, -0.0, float("nan"), -1.1665345430374146, -0.0, 2.2414066791534424, 0.08255679905414581, 0.34957414865493774, -0.1516081839799881, 0.9019794464111328, -0.22912120819091797, -0.21968531608581543, -0.1512472927570343, -1.5428693294525146, -0.8417812585830688, -0.0, -0.3047232925891876, -0.4996946156024933, -0.2620322108268738, -0.3197562098503113, 1.566547155380249, -0.4810672700405121, 2.2351057529449463, 0.7018175721168518], dtype=torch.float32).reshape((1, 2, 13)), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
