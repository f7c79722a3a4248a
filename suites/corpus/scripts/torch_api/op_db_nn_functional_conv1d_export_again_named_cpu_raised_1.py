# torch_api, export_again.named on cpu: RAISED build raised UserError: Constraints violated (b, …)! - You marked c as dynamic but your code specialized it to be a constant (5). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.nn.functional.conv1d(x0, x1)
    v1 = torch.add(v0, 1)
    return parts(v1)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0, x1: inner(x0, x1), (x0, x1), tuple(map(torch.ones_like, (x0, x1))))
    return (*outputs, *tangents)
reference = program
example = (torch.zeros([1, 2, 9], dtype=torch.float32), torch.zeros([5, 2, 2], dtype=torch.float32))
b = torch.export.Dim('b', min=3)
c = torch.export.Dim('c', min=1)
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({2: b}, {0: c, 2: d}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((1, 2, 3)), torch.tensor([0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((1, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
