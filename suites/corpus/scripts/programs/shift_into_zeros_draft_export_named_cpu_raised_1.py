# programs, draft_export.named on cpu: RAISED build raised RuntimeError: propagate_real_tensors: we cannot infer a Fake kernel (meta kernel) for operator aten::slice.Tensor because a return has a non-zero storage offset 2. Please use torch.library.register_fake to add a Fake kernel.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0):
    v1_z = torch.zeros_like(x0)
    v1_z[..., 1:] = x0[..., :-1]
    v1 = v1_z
    return (v1,)
reference = program
example = (torch.zeros(0, dtype=torch.int64).as_strided([2, 0, 1], [2, 2, 2], 0),)
a = torch.export.Dim('a')
dynamic_shapes = (({1: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.int64).reshape((2, 0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
