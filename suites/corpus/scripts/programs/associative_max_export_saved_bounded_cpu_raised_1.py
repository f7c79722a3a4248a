# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (a)! - You marked a as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_x = x0.clone(memory_format=torch.contiguous_format)
    v1 = torch._higher_order_ops.associative_scan(torch.maximum, v1_x, 0, reverse=True, combine_mode='generic')
    return (v1,)
reference = program
example = (torch.zeros([2, 9], dtype=torch.float32),)
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({1: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(1) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
