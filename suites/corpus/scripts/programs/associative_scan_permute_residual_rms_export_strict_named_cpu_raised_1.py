# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (a)! - Not all values of a = L['args'][0].size()[0] in the specified range satisfy the generated guard ((L['args'][0].size()[0] // 4) % 2) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3_sum = x0 + x1
    v3, v4 = (F.rms_norm(v3_sum, v3_sum.shape[-1:], x2, 1e-06), v3_sum)
    v5 = x0.permute((2, 1, 0))
    v6_x = v3.clone(memory_format=torch.contiguous_format)
    v6 = torch._higher_order_ops.associative_scan(torch.add, v6_x, 0, combine_mode='generic')
    return (v4, v5, v6)
reference = program
example = (torch.zeros([11, 11, 11], dtype=torch.float64), torch.zeros(1331, dtype=torch.float64).as_strided([11, 11, 11], [11, 121, 1], 0), torch.zeros([11], dtype=torch.float64))
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a, 1: a, 2: a}, {0: a, 1: a, 2: a}, {0: a}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=True)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(64, generator=G).to(torch.float64).reshape((4, 4, 4)), tensor_from_text('c-muNU`Uw0<i0%v1H*!t2j4(+f`|Zw-u>|zh;BGn_+vkiR`9#{6-+Bj{06IUQaKIcJ4D)Px`Alf5063O3<^05%|Z0B4LiYnkQpH14JA*(=AM;*1k!il>+`1|dcpOrVEY)FYW{=x4;H*Q1fm;OZhZ-&8S47Bg4I1<@fR%LoAep%E~zX3z~-=Vy#u@F%C6sF^}ct0faPmu{sPOh+`9tie_415Z2y$Pk09FNCo5Q8g3$6iAo@TQ=WBZ;|1fxRg2N@@ipvYIzc1c;4mOA3AK2Xw+8p12-Pvpaw&y`)!auM(0+0R&(GMQ1zX|5M-G7K24nXju9wcu053K&c`g7O7=Gb?g1e@O^3JIS)y%%6}s{MBFhv@t8ALJe;UzBiuuyoU7kbHu_)H~$(0I3Jrlkn!*Bd|Xn7=YvBfmQZbdzg6uC9kHc', torch.float64).as_strided((4, 4, 4), (4, 16, 1)), torch.tensor([0.0, 0.0, 0.0, 0.0], dtype=torch.float64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
