# torch_api, export_again.named on cpu: RAISED build raised UserError: Constraints violated (c)! - Not all values of c = L['args'][0].size()[2] in the specified range satisfy the generated guard math.trunc(0.6*torch.sym_float(L['args'][0].size()[2])) != 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.interpolate(x0, scale_factor=0.6)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.float32),)
c = torch.export.Dim('c', min=2)
dynamic_shapes = (({2: c},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
