# programs, export_again.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[1])! - You marked L['args'][0].size()[1] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1 = torch.linspace(0, 1, x0.shape[-1], device=x0.device)
    return (v1,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32),)
dynamic_shapes = (({1: torch.export.Dim.DYNAMIC},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
