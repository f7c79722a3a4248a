# engines, export.named on cpu: RAISED build raised AssertionError: Cannot create Dim with inconsistent min=1, max=-oo
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def reference(x_BSD):
    batch, seq, width = x_BSD.shape
    padded = F.pad(x_BSD, (0, 0, 0, -seq % 8))
    return padded.view(batch, (seq + 7) // 8, 8, width).mean(2)
example = (torch.zeros([5, 13, 8], dtype=torch.float32),)
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 1: seq},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0, 8)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
