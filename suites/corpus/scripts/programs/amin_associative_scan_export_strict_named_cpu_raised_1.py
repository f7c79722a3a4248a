# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][0].size()[0] in the specified range satisfy the generated guard ((L['args'][0].size()[0] // 4) % 2) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_x = x0.clone(memory_format=torch.contiguous_format)
    v1 = torch._higher_order_ops.associative_scan(torch.add, v1_x, 0, combine_mode='generic')
    v2 = v1.amin((1, 2), keepdim=True)
    return (v2,)
reference = program
example = (torch.zeros(1000, dtype=torch.float32).as_strided([10, 10, 10], [10, 100, 1], 0),)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: b, 1: b, 2: b},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2197, generator=G).to(torch.float32).as_strided((13, 13, 13), (13, 169, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
