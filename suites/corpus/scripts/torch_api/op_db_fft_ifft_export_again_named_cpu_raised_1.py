# torch_api, export_again.named on cpu: RAISED build raised UserError: Constraints violated (c)! - You marked c as dynamic but your code specialized it to be a constant (7). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.fft.ifft(x0, n=7)
    return parts(v0)
reference = program
example = (torch.zeros([10, 7, 7], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: b, 2: c},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 1, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
