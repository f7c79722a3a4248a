# torch_api, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[2], …)! - You marked L['args'][0].size()[2] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.avg_pool2d(x0, (4, 4), (2, 2), (2,), True)
    v1 = torch.zeros_like(v0)
    v2 = torch.nn.functional.avg_pool2d(x0, (4, 4), (2, 2), (2,), True, out=v1)
    return parts(v2)
reference = program
example = (torch.zeros([1, 2, 9, 9], dtype=torch.float32),)
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
