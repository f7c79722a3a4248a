# programs, export_strict.dynamic on cpu: RAISED AssertionError: Guard failed: 0.01 + abs(-1.0 + torch.sym_float(9 + args_0.size()[0] * args_0.size()[0])) == 72.01
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, n1, s2, x3, x4, x5):
    v6_0 = F.rms_norm(x0, x0.shape[-1:], eps=abs(torch.Size((x0.shape[0], x0.shape[0])).numel() + n1 + s2) + 0.01)
    v6 = v6_0
    v7 = F.linear(F.silu(F.linear(v6, x3)) * F.linear(v6, x3), x4)
    v8 = F.pad(v6, (0, -v6.shape[-1] % 8))
    v9 = torch.mm(x3, x5)
    v10_t = v6.transpose(0, -1)
    v10_t[1:].mul_(2)
    v10 = v6
    v11 = -x0
    return (v7, v8, v9, v10, v11)
reference = program
example = (torch.zeros(4096, dtype=torch.float16).as_strided([8, 4, 8, 8], [512, 128, 16, 2], 0), 9, -1.0, torch.zeros([2, 8], dtype=torch.float16), torch.zeros(17, dtype=torch.float16).as_strided([8, 2], [2, 1], 1), torch.zeros(32, dtype=torch.float16).as_strided([8, 4], [1, 8], 0))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, None, None, {1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-0.9619140625, -0.9619140625, 1.7587890625, 1.7587890625, -0.43798828125, -0.43798828125, -0.059844970703125], dtype=torch.float16).as_strided((1, 4, 1, 1), (8, 2, 2, 2)), 9, -1.0, torch.tensor([25.125, -33.9375], dtype=torch.float16).reshape((2, 1)), torch.tensor([-3.32421875, -0.8798828125], dtype=torch.float16).reshape((1, 2)), torch.tensor([float("inf"), float("-inf"), -1.359375, -1.86328125], dtype=torch.float16).reshape((1, 4)), ), {}),
    ((torch.randn(999, generator=G).to(torch.float16).as_strided((5, 4, 5, 5), (200, 50, 10, 2)), 7, 0.0, torch.tensor([2.33203125, 2.025390625, 0.51171875, -0.46044921875, 0.583984375, 0.472412109375, -0.393798828125, -0.04022216796875, -1.30859375, -0.408447265625], dtype=torch.float16).reshape((2, 5)), torch.tensor([0.291015625, -0.291748046875, -1.8623046875, 1.3310546875, -1.35546875, -1.3955078125, 1.26953125, 0.65966796875, 0.0167083740234375, -0.6181640625], dtype=torch.float16).reshape((5, 2)), torch.tensor([-0.2724609375, -1.4423828125, -0.75048828125, -1.3134765625, -0.00325775146484375, 0.25927734375, -0.275146484375, -0.7490234375, -0.796875, 0.43359375, 0.40478515625, 0.045440673828125, -0.1962890625, 0.4755859375, 1.14453125, 0.65966796875, 0.14111328125, 0.5205078125, 1.255859375, 1.2998046875], dtype=torch.float16).as_strided((5, 4), (1, 5)), ), {}),
    ((torch.randn(1727, generator=G).to(torch.float16).as_strided((6, 4, 6, 6), (288, 72, 12, 2)), 7, 0.0, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 6)), torch.tensor([-0.779296875, 0.16162109375, 2.763671875, 1.4248046875, 0.49755859375, -2.09765625, 0.170654296875, 0.233642578125, -0.409423828125, 0.2115478515625, 1.1494140625, -1.15234375], dtype=torch.float16).reshape((6, 2)), torch.tensor([2.0, 2.0, 1.0, -2.0, 2.0, 3.0, 2.0, 3.0, -1.0, 3.0, 0.0, 1.0, -2.0, 2.0, -2.0, 1.0, -2.0, -1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.0], dtype=torch.float16).as_strided((6, 4), (1, 6)), ), {}),
    ((torch.randn(215, generator=G).to(torch.float16).as_strided((3, 4, 3, 3), (72, 18, 6, 2)), 7, 0.0, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 3)), torch.tensor([-0.432373046875, 0.58251953125, -0.5224609375, -0.98046875, 1.4765625, 0.006427764892578125], dtype=torch.float16).reshape((3, 2)), torch.tensor([2.0, 0.0, -2.0, -3.0, -2.0, -3.0, 0.0, -1.0, 1.0, 1.0, -3.0, 1.0], dtype=torch.float16).as_strided((3, 4), (1, 3)), ), {}),
    ((torch.randn(63, generator=G).to(torch.float16).as_strided((2, 4, 2, 2), (32, 8, 4, 2)), 7, -0.25, torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 2)), torch.tensor([1.23046875, -1.212890625, -2.248046875, -0.13671875], dtype=torch.float16).reshape((2, 2)), torch.tensor([2.0, 2.0, -3.0, 0.0, -3.0, 3.0, 1.0, -2.0], dtype=torch.float16).as_strided((2, 4), (1, 2)), ), {}),
    ((torch.randn(4095, generator=G).to(torch.float16).as_strided((8, 4, 8, 8), (512, 128, 16, 2)), 7, 3.0, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 8)), torch.tensor([1.5927734375, 1.322265625, 0.424560546875, -0.0728759765625, 0.91552734375, 0.61279296875, -0.8623046875, 0.096923828125, 0.93017578125, -0.062225341796875, 0.63330078125, 0.57421875, -0.572265625, -0.8837890625, 2.06640625, 0.2578125], dtype=torch.float16).reshape((8, 2)), torch.tensor([-2.0, 1.0, 1.0, 0.0, -3.0, 1.0, 3.0, -2.0, 3.0, 1.0, 0.0, -1.0, 2.0, -2.0, 1.0, 2.0, -2.0, 0.0, 3.0, -1.0, -3.0, 0.0, -2.0, -3.0, 2.0, -2.0, -3.0, -1.0, -1.0, 0.0, 1.0, 1.0], dtype=torch.float16).as_strided((8, 4), (1, 8)), ), {}),
    ((torch.tensor([103.3125, 103.3125, 13.1484375, 13.1484375, 72.1875, 72.1875, -32.53125], dtype=torch.float16).as_strided((1, 4, 1, 1), (8, 2, 2, 2)), 7, 1.0, torch.tensor([0.0, 0.0], dtype=torch.float16).reshape((2, 1)), torch.tensor([1.7919921875, 2.671875], dtype=torch.float16).reshape((1, 2)), torch.tensor([2.0, -1.0, -2.0, 2.0], dtype=torch.float16).reshape((1, 4)), ), {}),
    ((torch.randn(999, generator=G).to(torch.float16).as_strided((5, 4, 5, 5), (200, 50, 10, 2)), 7, 0.5, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 5)), torch.tensor([0.3115234375, 1.41015625, -1.1748046875, -0.841796875, -0.334228515625, -0.59716796875, -0.356201171875, 0.513671875, 0.52099609375, -0.7568359375], dtype=torch.float16).reshape((5, 2)), torch.tensor([3.0, -2.0, 3.0, -3.0, -2.0, 2.0, 3.0, 1.0, -2.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, -1.0, -3.0, 0.0, -1.0, 2.0], dtype=torch.float16).as_strided((5, 4), (1, 5)), ), {}),
    ((torch.randn(215, generator=G).to(torch.float16).as_strided((3, 4, 3, 3), (72, 18, 6, 2)), 7, 0.0, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 3)), torch.tensor([-0.432373046875, 0.58251953125, -0.5224609375, -0.98046875, 1.4765625, 0.006427764892578125], dtype=torch.float16).reshape((3, 2)), torch.tensor([2.0, 0.0, -2.0, -3.0, -2.0, -3.0, 0.0, -1.0, 1.0, 1.0, -3.0, 1.0], dtype=torch.float16).as_strided((3, 4), (1, 3)), ), {}),
    ((torch.randn(215, generator=G).to(torch.float16).as_strided((3, 4, 3, 3), (72, 18, 6, 2)), 7, 0.0, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 3)), torch.tensor([-0.432373046875, 0.58251953125, -0.5224609375, -0.98046875, 1.4765625, 0.006427764892578125], dtype=torch.float16).reshape((3, 2)), torch.tensor([2.0, 0.0, -2.0, -3.0, -2.0, -3.0, 0.0, -1.0, 1.0, 1.0, -3.0, 1.0], dtype=torch.float16).as_strided((3, 4), (1, 3)), ), {}),
    ((torch.randn(4095, generator=G).to(torch.float16).as_strided((8, 4, 8, 8), (512, 128, 16, 2)), 7, 0.5, torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).reshape((2, 8)), torch.tensor([0.763671875, -1.8798828125, -0.1693115234375, 0.92431640625, -0.019378662109375, 0.1436767578125, 1.3212890625, 1.0732421875, 0.0985107421875, 0.402587890625, 0.475830078125, 1.240234375, -2.12890625, -0.0282440185546875, 1.1904296875, 0.5712890625], dtype=torch.float16).reshape((8, 2)), torch.tensor([3.0, 0.0, -2.0, 2.0, -1.0, 3.0, -2.0, 2.0, 1.0, 1.0, -3.0, -1.0, 1.0, 1.0, 1.0, -3.0, 0.0, -3.0, -1.0, 0.0, 3.0, 3.0, 3.0, 2.0, -3.0, 1.0, 0.0, -1.0, -1.0, 1.0, 1.0, 0.0], dtype=torch.float16).as_strided((8, 4), (1, 8)), ), {}),
    ((torch.randn(1727, generator=G).to(torch.float16).as_strided((6, 4, 6, 6), (288, 72, 12, 2)), 7, 0.0, torch.tensor([0.0, 0.623046875, -0.04534912109375, 0.82958984375, float("inf"), 1.2431640625, 1.9091796875, float("inf"), -0.0, 0.4892578125, float("-inf"), float("-inf")], dtype=torch.float16).reshape((2, 6)), torch.tensor([2.0, 1.0, -1.0, 1.0, -3.0, 3.0, 1.0, 1.0, 0.0, 3.0, -2.0, 0.0], dtype=torch.float16).reshape((6, 2)), torch.tensor([2.0, -2.0, -1.0, 0.0, -3.0, -3.0, -1.0, 0.0, -1.0, 2.0, 1.0, -1.0, 3.0, 1.0, 0.0, 3.0, 2.0, 3.0, 0.0, -3.0, 3.0, 1.0, 1.0, -2.0], dtype=torch.float16).as_strided((6, 4), (1, 6)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
