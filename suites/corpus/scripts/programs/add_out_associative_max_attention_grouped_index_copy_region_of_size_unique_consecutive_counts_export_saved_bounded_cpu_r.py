# programs, export_saved.bounded on cpu: RAISED build raised UserError: Constraints violated (2*a, …)! - You marked a as dynamic but your code specialized it to be a constant (4). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with ei
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


@torch.compiler.nested_compile_region
def region(part, number):
    return (part.sin() * number, part.shape[0] * 2 + number)

def program(x0, x1, x2):
    v3_key = x0.repeat_interleave(x2.shape[1] // x0.shape[1], dim=1)
    v3_value = x1.repeat_interleave(x2.shape[1] // x1.shape[1], dim=1)
    v3 = (x2 @ v3_key.transpose(-2, -1) * x2.shape[-1] ** (-0.5)).softmax(dim=-1) @ v3_value
    v4 = torch.add(x2 * 2, 1, out=x2)
    v5 = x0.index_copy(0, torch.arange(x0.shape[0], device=x0.device).flip(0), x0)
    v6, v7, v8 = torch.unique_consecutive(x0, return_inverse=True, return_counts=True)
    v9_x = v7.clone(memory_format=torch.contiguous_format)
    v9 = torch._higher_order_ops.associative_scan(torch.maximum, v9_x, 0, reverse=True, combine_mode='generic')
    v10_y, v10_n = region(v4, 3)
    v10_z, _ = region(v10_y, v10_n)
    v10 = v10_z + torch.full((v10_n,), 1.0, device=v4.device).sum()
    return (v3, v5, v6, v8, v9, v10)
reference = program
example = (torch.zeros(640, dtype=torch.float64).as_strided([4, 4, 8, 5], [160, 1, 20, 4], 0), torch.zeros([4, 4, 8, 1], dtype=torch.float64), torch.zeros([4, 8, 1, 5], dtype=torch.float64))
a = torch.export.Dim('a', min=3, max=16)
dynamic_shapes = (({0: a, 1: a, 3: a + 1}, {0: a, 1: a}, {0: a, 1: 2 * a, 3: a + 1}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(640, generator=G).to(torch.float64).as_strided((4, 4, 8, 5), (160, 1, 20, 4)), torch.randn(128, generator=G).to(torch.float64).reshape((4, 4, 8, 1)), tensor_from_text('c-n1KZAep57(P;AMIz}E>W5t{3x5R3!XQVxL5hOdj|Gy2-X;;03PMDyU?*7!LPGQbMbI^WXqXlmL|N@dFhhyd=4XzsE=@Oe>E@;*EYGvubq4Oo9?p5+`@HY-yze1|kSzbAaSf!|Z$k`eYn=n=Eu6Nmp^`i?$56@-`xy#DkNqsJ>XMci3fY%@4B3xHVA;z4JE|9vA84BgPs6?sI44%RS-ui-_p-Bi@nC=<Q8G7*?EFd}Hu5~>)1O&f%`2Ni{->uuQFm<Xa5V4tUv|Dd*##b<vhnab{m4O+kHzKcZ0OPMsoDJzyw93~45{uk>X3>)FMP<Yax#>2Pi|0H-g1k_&eau99nH#T{#;1%pdYLL2OlT9+LyFGtz5p=pE~38@o_cP(v7o4aq)e|`YkC%|H`p5Z+M^716%sx(~f%hD$9*Q#OG})bQP31<NAvFBzd~Kao_mjD|~gD<Nc5JDYTOWrk}Q5NnmrLMdy%DYvg|9=apjKnm)Cm=`HGhubITYtn|3}`m(E|6~1;F1{jK~FUOIWng;zEkDT~^61;VfR<Jkk3=zMg{nM4=1->qwwmEn|V|xE%#K-&OF6vwhHAD9;342L;i|3$gK7Gl~?@_d#IC2E<fYel~{CtF~<>Qh4D+u8|ZTo{ciBG1$tD4UKg5DD<bkMX1sG}HKkT2gE3&!al&cVFY{Xz%cjk0|ebG>;F^`!=30(Bf!c(>xiVHtdv2Sdj7=A7XS7~|gu;!@`GS@3<)N9J(73`oN%m?zzNV-)*#sBi|~drQ60Svx@3KFG(Td#3SfXx3q0V!j!57VxC_H?jR8uT5cl{9GbF=k(xxOGTa7L&4{7<@x3G`d;`s;v7ML=iB<AdvnGh{I0c)qW`_k<8k{|u^W6edCx-Z{vVXcbG`', torch.float64).reshape((4, 8, 1, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
