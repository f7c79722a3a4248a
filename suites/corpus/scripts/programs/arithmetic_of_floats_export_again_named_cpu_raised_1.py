# programs, export_again.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (((a) ^ (a)) % 6) != 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(s0, x1):
    v2_0 = F.normalize(x1, dim=-1, eps=abs(s0 + s0) + 0.01)
    v2_1 = v2_0 + v2_0.new_ones(1).expand((x1.shape[1] ^ x1.shape[1]) % 6).sum()
    v2 = v2_1
    return (v2,)
reference = program
example = (1.0, torch.zeros([2, 9], dtype=torch.float32))
a = torch.export.Dim('a')
dynamic_shapes = ((None, {1: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((1.0, torch.tensor([], dtype=torch.float32).reshape((2, 0)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
