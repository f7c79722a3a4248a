# torch_api, export_again.named on cpu: RAISED build raised AssertionError: tgt_bound=VR[10, 9223372036854776320] not a subset of src_bound=VR[10, 9223372036854775806]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = v0.view_as(x1)
    return parts(v1)
reference = program
example = (torch.zeros([48, 2], dtype=torch.float32), torch.zeros([2, 9, 5], dtype=torch.float32), torch.zeros([48], dtype=torch.bool))
b = torch.export.Dim('b')
dynamic_shapes = (({0: 5 * b + 3}, {1: b}, {0: 5 * b + 3}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548], dtype=torch.float32).reshape((3, 2)), torch.tensor([], dtype=torch.float32).reshape((2, 0, 5)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
