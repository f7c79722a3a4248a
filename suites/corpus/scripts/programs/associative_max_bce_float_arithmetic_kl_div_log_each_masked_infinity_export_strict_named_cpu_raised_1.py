# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][2].size()[0] in the specified range satisfy the generated guard ((L['args'][2].size()[0] // 4) % 2) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, s1, x2, x3, x4):
    v5 = x0 * (s1 * 2 + 1) - s1 ** 2
    v6 = x2.masked_fill(x3, float('-inf'))
    v7_x = x2.clone(memory_format=torch.contiguous_format)
    v7 = torch._higher_order_ops.associative_scan(torch.maximum, v7_x, 0, reverse=True, combine_mode='generic')
    v8 = F.kl_div(F.log_softmax(x4, 1), F.log_softmax(x4, 1), log_target=True, reduction='none')
    v9 = F.binary_cross_entropy(v5.sigmoid().nan_to_num(0.5), x0.sigmoid().nan_to_num(0.5), reduction='mean')
    return (v6, v7, v8, v9)
reference = program
example = (torch.zeros([], dtype=torch.bfloat16), 1.0, torch.zeros(12, dtype=torch.float32).as_strided([11], [1], 1), torch.zeros(22, dtype=torch.bool).as_strided([11], [2], 0), torch.zeros([11, 12], dtype=torch.bfloat16))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({}, None, {0: a}, {0: a}, {0: a, 1: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([float("inf")], dtype=torch.bfloat16).reshape(()), 1.0, torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float32), torch.tensor([False, False, False, False, False, False, True], dtype=torch.bool).as_strided((4,), (2,)), torch.randn(104, generator=G).to(torch.bfloat16).reshape((4, 26)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
