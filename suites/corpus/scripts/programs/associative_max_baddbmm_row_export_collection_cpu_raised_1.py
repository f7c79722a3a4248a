# programs, export.collection on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (10). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = torch.baddbmm(x0, x1, x2, beta=0, alpha=0)
    v4_x = x2.clone(memory_format=torch.contiguous_format)
    v4 = torch._higher_order_ops.associative_scan(torch.maximum, v4_x, 0, reverse=True, combine_mode='generic')
    return (v3, v4)
reference = program
example = (torch.zeros([10, 9], dtype=torch.float32), torch.zeros([3, 10, 4], dtype=torch.float32), torch.zeros([3, 4, 9], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a + 1, 1: a}
dynamic_shapes[example[1]] = {1: a + 1}
dynamic_shapes[example[2]] = {2: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((1, 0)), torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((3, 1, 4)), torch.tensor([], dtype=torch.float32).reshape((3, 4, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
