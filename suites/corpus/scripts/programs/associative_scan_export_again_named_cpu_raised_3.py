# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((3 + 2*(((-1) + ((b) // 4)) // 2)) % (6 + 4*(((-1) + ((b) // 4)) // 2))) != 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_x = x0.clone(memory_format=torch.contiguous_format)
    v1 = torch._higher_order_ops.associative_scan(torch.add, v1_x, 0, combine_mode='generic')
    return (v1,)
reference = program
example = (torch.zeros([18, 2, 2], dtype=torch.float32),)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((1, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
