# torch_api, export_strict.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0], …)! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.nn.functional.gelu(x0)
    v1 = torch.add(v0, 1)
    return parts(v1)

def program(x0):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros([8, 9], dtype=torch.float16),)
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.full((608,), 0.0, dtype=torch.float16).reshape((32, 19)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
