# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: (((a) + (-1)*((a) // 2)) // 2) >= 0 and (((a) + (-1)*((a) // 2)) // 2) <= (a) + (-1)*((a) // 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = x0.cummax(0).values
    v3[x1] = 0.0
    v4 = v3
    v5 = x0.flip(-1).cumsum(-1).flip(-1)
    v6 = torch.nanquantile(v4, 0.5, 0, keepdim=True, interpolation='nearest')
    v7 = x2 / x2

    def v8_halves(part):
        middle = part.shape[0] // 2
        if part.shape[0] <= 1:
            return part
        return torch.cat((v8_halves(part[middle:]), v8_halves(part[:middle])))
    v8 = v8_halves(v3) * 1
    return (v5, v6, v7, v8)
reference = program
example = (torch.zeros([7], dtype=torch.float32), torch.zeros([7], dtype=torch.bool), torch.zeros([22, 1, 7], dtype=torch.complex64))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
dynamic_shapes = (({0: a}, {0: a}, {0: b, 2: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((torch.tensor([0.40721607208251953, 1.151463508605957, 0.14950646460056305], dtype=torch.float32), torch.tensor([False, False, False], dtype=torch.bool), tensor_from_text('c-mc%ixI#e2t%`38O_bgXf;aslq-kjBzXwH_UAiQcdqwV2K)R!XZ9>oGckv_k2c5PtWuimDX$E#dk9^5$>$1BU3p9M&&R&b@V4VKnL4{_-`i|*C4YOn<O|>9Eghdbb&X{A;yt~#^Uz1J-*@-`NTEjQ', torch.complex64).reshape((19, 1, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
