# programs, export.bounded on cpu: RAISED build raised UserError: Constraints violated (a, …)! - Not all values of a = L['args'][0].size()[0] in the specified range 3 <= a <= 16 satisfy the generated guard (0.01 + torch.sym_float(abs((math.trunc(L['args'][0].size()[0])) // 2))) == 5.01.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F
import math

def program(x0, n1, x2, x3):
    v4_0 = F.layer_norm(x0, x0.shape[-1:], eps=abs(math.trunc(x0.shape[0]) >> 1) + 0.01)
    v4 = v4_0
    v5_0 = F.pad(x3, (1, 1), value=math.trunc(x3.shape[1]) + n1)[..., 1:-1]
    v5_1 = v5_0 + torch.arange(((math.ceil(x3.shape[1] / 3) << 2) + n1) % 9, device=v5_0.device).sum()
    v5 = v5_1
    v6 = x2.mean((-2, -1))
    return (v4, v5, v6)
reference = program
example = (torch.zeros(20, dtype=torch.float32).as_strided([10, 2], [1, 10], 0), 33, torch.zeros(160, dtype=torch.float32).as_strided([2, 2, 4, 5], [80, 40, 10, 2], 0), torch.zeros([6, 6, 20], dtype=torch.float16))
a = torch.export.Dim('a', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
dynamic_shapes = (({0: a}, None, {2: c + 1, 3: b}, {0: b + 1, 1: b + 1, 2: 2 * a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= (args[2].size(2) - 1) // 1 <= 16 and (3 <= args[2].size(3) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([0.13571393489837646, 0.7863125801086426, -0.7036553621292114, 0.023078931495547295, 2.0305614471435547, 1.0096299648284912, -0.6039793491363525, 0.10768052190542221, 0.6948145627975464, 0.795741617679596, 0.7869159579277039, 1.4080640077590942, 0.9144615530967712, 0.5948236584663391, 0.6708136796951294, 1.013284683227539, 0.6633152961730957, -1.1593859195709229, 0.4700738191604614, 0.3030763864517212, 0.5664901733398438, 0.1669972836971283, -0.3576287031173706, -0.2944726049900055, 0.9223554134368896, 1.4612354040145874, -0.9218182563781738, -2.4299440383911133], dtype=torch.float32).as_strided((14, 2), (1, 14)), 33, torch.randn(319, generator=G).to(torch.float32).as_strided((2, 2, 10, 4), (160, 80, 8, 2)), torch.randn(700, generator=G).to(torch.float16).reshape((5, 5, 28)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
