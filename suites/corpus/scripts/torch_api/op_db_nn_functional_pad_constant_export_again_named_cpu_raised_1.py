# torch_api, export_again.named on cpu: RAISED build raised RuntimeError: s2 (<class 'torch.SymInt'>, 140258181842832)is not tracked with proxy for <torch.fx.experimental.proxy_tensor._ModuleStackTracer object at 0x7f9066e93790>
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.nn.functional.pad(x0, (1, 1, 1, 1, 1, 1))
    return parts(v0)

def program(x0):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros(18, dtype=torch.float32).as_strided([1, 2, 9], [1, 1, 2], 0),)
b = torch.export.Dim('b')
dynamic_shapes = (({2: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
