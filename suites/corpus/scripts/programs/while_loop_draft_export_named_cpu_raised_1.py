# programs, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[3] == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_x = x0.clone(memory_format=torch.contiguous_format)
    v1, v2 = torch._higher_order_ops.while_loop(lambda i, part: i < 3, lambda i, part: (i + 1, part * 0.5), (torch.zeros((), dtype=torch.int64, device=x0.device), v1_x))
    return (v1,)
reference = program
example = (torch.zeros([2, 2, 2, 0], dtype=torch.float32),)
a = torch.export.Dim('a')
dynamic_shapes = (({3: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.3361658751964569, 0.9665210247039795, 2.4359984397888184, -0.48081251978874207, 9.99994610111476e-41, -1.241531491279602, 0.5339941382408142, 0.8753496408462524], dtype=torch.float32).reshape((2, 2, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
