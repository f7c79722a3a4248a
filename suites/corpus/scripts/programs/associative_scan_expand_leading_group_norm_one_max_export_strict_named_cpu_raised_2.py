# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((L['args'][0].size()[0] // 2) % 2) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.group_norm(x0, 1)
    v3_x = x1.clone(memory_format=torch.contiguous_format)
    v3 = torch._higher_order_ops.associative_scan(torch.add, v3_x, 0, combine_mode='generic')
    v4, v5 = x1.max(1, keepdim=True)
    v6 = v4.expand(0, *v4.shape)
    return (v2, v3, v5, v6)
reference = program
example = (torch.zeros(320, dtype=torch.float32).as_strided([4, 4, 4, 5], [80, 1, 20, 4], 0), torch.zeros([4, 12], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: a, 2: a, 3: a + 1}, {0: a, 1: b + 1}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(1512, generator=G).to(torch.float32).as_strided((6, 6, 6, 7), (252, 1, 42, 6)), torch.randn(120, generator=G).to(torch.float32).reshape((6, 20)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
