# programs, export.collection on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) // 2) <= (a)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):

    def v4_halves(part):
        middle = part.shape[0] // 2
        if part.shape[0] <= 1:
            return part
        return torch.cat((v4_halves(part[middle:]), v4_halves(part[:middle])))
    v4 = v4_halves(x0) * 1
    v5 = F.scaled_dot_product_attention(x1, x2, x3, scale=1.0)
    return (v4, v5)
reference = program
example = (torch.zeros(4096, dtype=torch.float16).as_strided([16, 16, 16], [0, 16, 1], 0), torch.zeros(384, dtype=torch.bfloat16).as_strided([2, 16, 3, 4], [1, 2, 32, 96], 0), torch.zeros(512, dtype=torch.bfloat16).as_strided([2, 16, 4, 4], [1, 2, 32, 128], 0), torch.zeros(385, dtype=torch.bfloat16).as_strided([2, 16, 4, 3], [192, 12, 3, 1], 1))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a, 1: a, 2: a}
dynamic_shapes[example[1]] = {1: a, 2: b, 3: b + 1}
dynamic_shapes[example[2]] = {1: a, 3: b + 1}
dynamic_shapes[example[3]] = {1: a}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(64, generator=G).to(torch.float16).as_strided((8, 8, 8), (0, 8, 1)), torch.randn(672, generator=G).to(torch.bfloat16).as_strided((2, 8, 6, 7), (1, 2, 16, 96)), torch.randn(448, generator=G).to(torch.bfloat16).as_strided((2, 8, 4, 7), (1, 2, 16, 64)), tensor_from_text('c-kG1KS*0)6ve-%pfxVyl0hhz+Qls@Xu;f*!J)itg1D4G6<5n!I!NJtrijv^lw$n@BBYceqL#Wg@1Bs!b`Xkx3WXvF1p^sHL=B%`I^4_U!a4VMPb>o*<65~UZ?e1c5W}ot2G;#kW2f|lfeDPU8#FeIQpsE7bA7n|zqJlx#m3jV&yUQbMH`wy57L!SNf)h~PX-W}Y5vZJ5wjgh7=4vR-<PEd8!xaOP0zqM*Wfp?uFhLYRR;N!f2GLB_#!u`^9f(#0oG*(Ls;<?>+HxiH9M*dqjMBJYgL^K%n~-gKTRU8;+4i)lE6%YoaGDotexzxjN(fA<+QwpO)Rp;L#eY{ZCv08R#`}F++c}E+Kbl85AXO)Qn`01;E{aLeeYT3do1~Duf1jq2WauXhtV&e#RQh+SoZWnI(eth`A5SjgJy0v-bNW`7?d=Rd|B6)yVN<1`^mav&v*}@Kevw', torch.bfloat16).reshape((2, 8, 4, 3)), ), {}),
    ((torch.tensor([86.5, 2.84375, 52.5625, -36.3125, -41.6875, -126.5, 123.6875, 19.796875], dtype=torch.float16).reshape((2, 2, 2)), torch.randn(159, generator=G).to(torch.bfloat16).as_strided((2, 2, 4, 5), (80, 40, 10, 2)), torch.randn(80, generator=G).to(torch.bfloat16).reshape((2, 2, 4, 5)), torch.tensor([-2.0625, -1.2578125, -0.1357421875, 9.183549615799121e-41, -0.265625, -0.0126953125, float("inf"), 1.7109375, 0.9296875, -0.4765625, 2.484375, 0.54296875, -0.5859375, 1.1328125, float("nan"), -0.474609375, -0.2099609375, 0.55859375, -0.0, float("inf"), 9.183549615799121e-41, 2.609375, -2.109375, 0.0693359375, 0.283203125, -0.6171875, 0.306640625, 1.6953125, -0.400390625, 0.56640625, 0.271484375, -1.0625, 0.57421875, 1.015625, float("nan"), -1.015625, 1.2890625, 1.125, 0.5390625, -1.359375, 0.60546875, 1.0002555517425873e+30, -0.6171875, -0.283203125, 1.0546875, -0.1064453125, 0.054931640625, 0.1796875], dtype=torch.bfloat16).reshape((2, 2, 4, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
