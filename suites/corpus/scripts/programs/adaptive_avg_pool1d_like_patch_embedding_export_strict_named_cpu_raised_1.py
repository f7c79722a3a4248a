# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (2*b, …)! - You marked b as dynamic but your code specialized it to be a constant (13). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with e
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.adaptive_avg_pool1d(x0, x1.shape[-1])
    v5 = F.conv2d(x2, x3, stride=2).flatten(2).transpose(1, 2)
    return (v4, v5)
reference = program
example = (torch.zeros([10, 11, 2], dtype=torch.float32), torch.zeros(2860, dtype=torch.float32).as_strided([10, 11, 13], [286, 26, 2], 0), torch.zeros(417, dtype=torch.float32).as_strided([1, 2, 26, 8], [416, 208, 8, 1], 1), torch.zeros(80, dtype=torch.float32).as_strided([10, 2, 2, 2], [4, 40, 2, 1], 0))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b', min=1)
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({0: a, 1: a + 1}, {0: a, 1: a + 1, 2: b}, {2: 2 * b, 3: 2 * c}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-2.0, -2.0, 2.0, -2.0], dtype=torch.float32).reshape((1, 2, 2)), torch.tensor([1.94395112991333, 1.94395112991333, 2.1067800521850586, 2.1067800521850586, -0.7826841473579407, -0.7826841473579407, -0.22607779502868652, -0.22607779502868652, 1.2238160371780396, 1.2238160371780396, -2.1839699745178223, -2.1839699745178223, -0.08788711577653885, -0.08788711577653885, -0.6933800578117371], dtype=torch.float32).as_strided((1, 2, 4), (16, 8, 2)), torch.randn(256, generator=G).to(torch.float32).reshape((1, 2, 8, 16)), torch.tensor([1.0015517473220825, -1.2709928750991821, -1.197001338005066, 0.18257100880146027, -0.08793749660253525, -1.3918380737304688, 1.7120845317840576, -1.3741631507873535], dtype=torch.float32).reshape((1, 2, 2, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
