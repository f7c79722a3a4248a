# torch_api, export_again.named on cpu: RAISED build raised UserError: Constraints violated (d)! - You marked d as dynamic but your code specialized it to be a constant (4). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.AdaptiveMaxPool3d((3, None, 5)).train()

def program(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2, 4, 4], dtype=torch.float32),)
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({3: d, 4: d},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2, 1, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
