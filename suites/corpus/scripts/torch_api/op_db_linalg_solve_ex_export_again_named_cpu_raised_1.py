# torch_api, export_again.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 2) (unhinted: Eq(u0, 2)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.linalg.solve_ex(v0, x1)
    return parts(v1)
reference = program
example = (torch.zeros([5, 2, 2], dtype=torch.float32), torch.zeros([2, 2], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 1.3893661499023438, 1.586334228515625, 0.946298360824585, -0.843676745891571, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([-0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423], dtype=torch.float32).reshape((2, 2)), torch.tensor([True, False, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
