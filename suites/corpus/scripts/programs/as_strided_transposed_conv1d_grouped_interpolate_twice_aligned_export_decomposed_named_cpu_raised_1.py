# programs, export_decomposed.named on cpu: RAISED AssertionError: Guard failed: args_1.size()[0] * max(1, math.trunc(2.0 * torch.sym_float(args_1.size()[2]))) * max(1, math.trunc(2.0 * torch.sym_float(args_1.size()[3]))) >= max(1, math.trunc(2.0 * torch.sym_float(args_1.size()[3])))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = x0.contiguous()
    v5 = v5.as_strided(v5.shape[::-1], (1, v5.shape[1]))
    v6 = F.interpolate(x1, scale_factor=2.0, mode='bicubic', align_corners=False)
    v7 = F.conv1d(x2, x3, x4, groups=2, stride=1, padding=2, dilation=1)
    return (v5, v6, v7)
reference = program
example = (torch.zeros([9, 10], dtype=torch.bfloat16), torch.zeros(486, dtype=torch.float16).as_strided([2, 9, 3, 9], [1, 2, 18, 54], 0), torch.zeros(108, dtype=torch.float32).as_strided([6, 6, 3], [1, 6, 36], 0), torch.zeros([6, 3, 3], dtype=torch.float32), torch.zeros([6], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: a + 1}, {0: b, 1: a, 2: b + 1, 3: a}, {0: c}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((tensor_from_text('c-jH9089S}KsCO(y_h~Mzc#-C05LzUKcPOhzkvUkzJULL|NsBSzJPxOzyJTzzlJ~MK99VB|A)T-fPg*#faE@*zX1SBaRC5<Kixh?zX8A&KdnDPzyJUCJrloFKY;%~J_|plKLCK9y<WbdzMH<)zm7jCKY)LNx&Z+8KB&GPz=b|dzrsHNfT6!sKf}MIzcs&hKXSefKLS30f7`w?K6*d>KMOxRzjr@MaTGvhKg~ZNJ^=uhl~gD', torch.bfloat16).reshape((9, 10)), torch.full((486,), 0.0, dtype=torch.float16).as_strided((2, 9, 3, 9), (1, 2, 18, 54)), torch.full((108,), 0.0, dtype=torch.float32).as_strided((6, 6, 3), (1, 6, 36)), torch.randn(54, generator=G).to(torch.float32).reshape((6, 3, 3)), torch.tensor([-2.0, -2.0, -2.0, 0.0, -2.0, -2.0], dtype=torch.float32), ), {}),
    ((torch.full((90,), 0.0, dtype=torch.bfloat16).reshape((9, 10)), torch.randn(486, generator=G).to(torch.float16).as_strided((2, 9, 3, 9), (1, 2, 18, 54)), torch.tensor([], dtype=torch.float32).reshape((0, 6, 3)), torch.randn(54, generator=G).to(torch.float32).reshape((6, 3, 3)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), ), {}),
    ((torch.tensor([0.71484375, 0.78515625], dtype=torch.bfloat16).reshape((1, 2)), torch.tensor([], dtype=torch.float16).reshape((0, 1, 1, 1)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((2, 6, 3), (1, 2, 12)), torch.randn(54, generator=G).to(torch.float32).reshape((6, 3, 3)), torch.tensor([1.0, 0.0, 3.0, 3.0, -3.0, 0.0], dtype=torch.float32), ), {}),
    ((torch.randn(90, generator=G).to(torch.bfloat16).reshape((9, 10)), torch.randn(162, generator=G).to(torch.float16).as_strided((1, 9, 2, 9), (1, 1, 9, 18)), torch.randn(108, generator=G).to(torch.float32).as_strided((6, 6, 3), (1, 6, 36)), tensor_from_text('c-ni>`^avywX^-%@aOwCF#GPWWxQvfWh!QWNQ{x;#?Nc}v=9B<^Oe1Kf8vAFb|A4VjXt~Eelzx)pXu4pz`)SZ^R0a!TWcYZ-SGcyUcWs9!-4u!pF9hl$_4BnG)LI0h;H5sk^|y;36JpooBVwCaYWSaD|`HH--9XZ_JhpavBzxRi(qCuCo>cK3pR3lS4O&k%&Rwg_jw=Fhs}G%W4QJ!ncLeh`*U*NG6w~FpB+v1E(i4YgY2rDvC^)hR?iM($DQ*_?X^xf*<Coda6bT8uVZ}', torch.float32).reshape((6, 3, 3)), torch.tensor([1.0, 3.0, 0.0, 1.0, 2.0, -3.0], dtype=torch.float32), ), {}),
    ((torch.full((90,), 0.0, dtype=torch.bfloat16).reshape((9, 10)), torch.randn(486, generator=G).to(torch.float16).as_strided((2, 9, 3, 9), (1, 2, 18, 54)), torch.tensor([], dtype=torch.float32).reshape((0, 6, 3)), torch.randn(54, generator=G).to(torch.float32).reshape((6, 3, 3)), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
