# torch_api, export.collection on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked c as dynamic but your code specialized it to be a constant (5). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.conv3d(x0, x1, dilation=2)
    return parts(v0)
reference = program
example = (torch.zeros([1, 8, 8, 5], dtype=torch.float32), torch.zeros([1, 1, 3, 3, 3], dtype=torch.float32))
a = torch.export.Dim('a', min=5)
c = torch.export.Dim('c', min=5)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {1: a, 2: a, 3: c}
dynamic_shapes[example[1]] = {}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(125, generator=G).to(torch.float32).reshape((1, 5, 5, 5)), torch.tensor([1.3693809509277344, 2.6570231914520264, 0.9851194024085999, -0.2596415579319, 0.11833705008029938, 0.2439592480659485, 1.1646006107330322, 0.2885761559009552, 1.235763669013977, 0.5428298115730286, 0.5255303382873535, -0.2993844747543335, -0.1877780705690384, 1.9158976078033447, 0.6901953220367432, -2.3217015266418457, -1.1964101791381836, 0.19702816009521484, -1.177331566810608, 0.11355210095643997, 1.10472571849823, -1.3951719999313354, 0.4751187264919281, -0.8137258291244507, 0.9242363572120667, -0.24734129011631012, -1.4153878688812256], dtype=torch.float32).reshape((1, 1, 3, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
