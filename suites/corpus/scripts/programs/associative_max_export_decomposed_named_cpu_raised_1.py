# programs, export_decomposed.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard (L['args'][0].size()[0] % 2) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_x = x0.clone(memory_format=torch.contiguous_format)
    v1 = torch._higher_order_ops.associative_scan(torch.maximum, v1_x, 0, reverse=True, combine_mode='generic')
    return (v1,)
reference = program
example = (torch.zeros([8], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

calls = [
    ((torch.tensor([1.9106916189193726], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
