# programs, export_strict.named on cpu: RAISED build raised UserError: Constraints violated (L['args'][2].size()[0], …)! - The values of L['args'][2].size()[0] = L['args'][2].size()[0] must always be related to the values of a = L['args'][0].size()[0] by L['args'][2].size()[0] = 8*a.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, n1, x2, x3, x4):
    v5 = x0.repeat_interleave(n1, 0)
    v6 = torch.cat((v5[x2], v5[~x2]))
    if v5.shape[0] > 3:
        v7_y = v5 * 2
    else:
        v7_y = v5 + 1
    v7 = v7_y
    v8_x = x3.clone(memory_format=torch.contiguous_format)
    v8 = torch._higher_order_ops.associative_scan(torch.add, v8_x, 0, combine_mode='generic')
    v9_n = x2.sum().item()
    torch._check(v9_n >= 0)
    torch._check(v9_n <= v7.shape[0])
    v9 = v7.new_zeros(v9_n, v7.shape[-1])
    v10 = x3.scatter(2, x4, 0)
    v11 = v8.amin((1, 2), keepdim=True)
    return (v6, v9, v10, v11)
reference = program
example = (torch.zeros([9], dtype=torch.int32), 8, torch.zeros([72], dtype=torch.bool), torch.zeros(64, dtype=torch.float32).as_strided([4, 4, 4], [4, 16, 1], 0), torch.zeros([4, 4, 1], dtype=torch.int64))
a = torch.export.Dim('a')
b = torch.export.Dim('b', min=1)
dynamic_shapes = (({0: a}, None, {0: torch.export.Dim.AUTO}, {0: b, 1: b, 2: b}, {0: b, 1: b}),)

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
    ((torch.tensor([0, -2147483648, 1073741823, 0, 1073741823, 1073741823, -2147483648, 0, 1, 2147483647, 1, 1073741823, 0, 0, 1073741823, -2147483648, 1, 0, 1073741823, 1073741823, 1], dtype=torch.int32), 8, torch.full((168,), True, dtype=torch.bool), torch.randn(2197, generator=G).to(torch.float32).as_strided((13, 13, 13), (13, 169, 1)), tensor_from_text('c-n=NIS#}y3<D!uiO>JPcZ+qJ0R~A!IF>0=M_m8!J~$6{oL_tnHeenM#4Yd-oEzc;`4e&PSHYinH*kN6kHmcg&%&8H0&(wsIk=%Gq;3<w26WQbmb!NQU!rFTZ-JhG-;};up9*{x_}Y@EKvzTFiTB1^@qR-0BYs(5)}={4@}%fyzbY_gPKNN?yl_uh@A~1Z${caO*oRwmru1XVepo%H^q2Ez{pr9h{M?%^bMgZi^#nW', torch.int64).reshape((13, 13, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
