# torch_api, export.dynamic on cpu: RAISED build raised IndexError: list index out of range
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.nn.functional.upsample_bilinear(x0, size=(5, 5))
    return parts(v0)

def program(x0):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros(17, dtype=torch.float32).as_strided([2, 2, 2, 2], [8, 4, 2, 1], 1),)
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-0.9357525706291199, 0.3665652871131897, 9.99994610111476e-41, -0.8356167078018188, -0.8973809480667114, 1.0200014114379883, 0.24189816415309906, 9.99994610111476e-41, -0.0, -0.0, -0.029087599366903305, 1.0706067085266113, -0.0, -0.19209007918834686, -1.1714143753051758, -1.8248182535171509], dtype=torch.float32).reshape((2, 2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
