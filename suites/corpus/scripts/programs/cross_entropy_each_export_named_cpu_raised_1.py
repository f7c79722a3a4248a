# programs, export.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a + 1 as dynamic but your code specialized it to be a constant (2). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2 = F.cross_entropy(x0, x1, reduction='none')
    return (v2,)
reference = program
example = (torch.zeros([2, 1], dtype=torch.float32), torch.zeros(3, dtype=torch.int64).as_strided([2], [1], 1))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a + 1, 1: a}, {0: a + 1}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5141855478286743, -0.503209114074707, -2.3004236221313477, -2.3770923614501953, -0.03825348615646362, 1.373056173324585, -0.7417103052139282, -0.9503774046897888, 0.33977141976356506, 1.7087655067443848, 0.41526439785957336, 1.8306374549865723, -0.47305095195770264, -0.6312315464019775, 0.3854164183139801, 0.21812713146209717, -1.1972849369049072, -0.27503010630607605, 0.45055311918258667, -0.2300286740064621], dtype=torch.float32).reshape((5, 4)), torch.tensor([1, 0, 1, 3, 1], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
