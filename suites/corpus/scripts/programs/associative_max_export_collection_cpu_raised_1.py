# programs, export.collection on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_x = x0.clone(memory_format=torch.contiguous_format)
    v1 = torch._higher_order_ops.associative_scan(torch.maximum, v1_x, 0, reverse=True, combine_mode='generic')
    return (v1,)
reference = program
example = (torch.zeros(181, dtype=torch.float32).as_strided([10, 2, 9], [18, 9, 1], 1),)
a = torch.export.Dim('a')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a + 1, 2: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
