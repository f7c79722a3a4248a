# programs, export.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(5 + 5*((b) // 2), 10 + 10*((b) // 2), 20 + 20*((b) // 2)) == (5 + 5*((b) // 2))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = F.cross_entropy(x0, x1, reduction='none')
    v6 = F.unfold(x2, 2, stride=2, padding=1)
    v7 = v6.unfold(0, 4, 2)
    v8 = x2.gather(-4, x2.cummin(-4).indices)
    v9 = F.conv1d(v6, x3, x4, stride=1, padding=1, dilation=1)
    v10 = F.local_response_norm(v9, 2, alpha=0.1)
    return (v5, v7, v8, v10)
reference = program
example = (torch.zeros([5, 4], dtype=torch.float32), torch.zeros(6, dtype=torch.int64).as_strided([5], [1], 1), torch.zeros(384, dtype=torch.float32).as_strided([4, 4, 3, 8], [96, 1, 32, 4], 0), torch.zeros(192, dtype=torch.float32).as_strided([4, 16, 3], [1, 4, 64], 0), torch.zeros([4], dtype=torch.float32))
a = torch.export.Dim('a', min=4)
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a + 1, 1: a}, {0: a + 1}, {0: a, 1: a, 2: b}, {0: a, 1: 4 * a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([1.5141855478286743, -0.503209114074707, -2.3004236221313477, -2.3770923614501953, -0.03825348615646362, 1.373056173324585, -0.7417103052139282, -0.9503774046897888, 0.33977141976356506, 1.7087655067443848, 0.41526439785957336, 1.8306374549865723, -0.47305095195770264, -0.6312315464019775, 0.3854164183139801, 0.21812713146209717, -1.1972849369049072, -0.27503010630607605, 0.45055311918258667, -0.2300286740064621], dtype=torch.float32).reshape((5, 4)), torch.tensor([1, 0, 1, 3, 1], dtype=torch.int64), torch.randn(384, generator=G).to(torch.float32).as_strided((4, 4, 3, 8), (96, 1, 32, 4)), torch.full((192,), 0.0, dtype=torch.float32).as_strided((4, 16, 3), (1, 4, 64)), torch.tensor([-0.41828590631484985, -1.1812269687652588, -0.31469374895095825, -0.4788365662097931], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
