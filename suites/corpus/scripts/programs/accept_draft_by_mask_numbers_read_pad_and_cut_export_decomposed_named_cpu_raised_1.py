# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((c) + (((-1)*(c)) % 8)) == 8 or (((c) + (((-1)*(c)) % 8)) % 8) == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3_n = (x0 == x0).to(torch.int64).cumprod(-1).sum(-1).unsqueeze(-1)
    v3 = torch.where(torch.arange(x0.shape[1], device=x0.device) < v3_n, x0, -1)
    v4_t = x2.sort().values
    v4_a = v4_t[0].item()
    v4_b = v4_t[1].item()
    v4_c = v4_t[2].item()
    v4_d = v4_t[3].item()
    torch._check(v4_a >= 0)
    torch._check(v4_a <= v4_b)
    torch._check(v4_b <= v4_c)
    torch._check(v4_c <= v4_d)
    torch._check(v4_d <= 8)
    v4_0 = x1 + torch.tensor([v4_a, v4_b], device=x1.device).sum()
    v4 = v4_0
    v5_p = F.pad(v4, (0, -v4.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v5 = (v5_p + v5_p.new_zeros(8)).flatten(-2)[..., :v4.shape[-1]]
    return (v3, v5)
reference = program
example = (torch.zeros(109, dtype=torch.int64).as_strided([9, 12], [12, 1], 1), torch.zeros(243, dtype=torch.float32).as_strided([9, 9, 3], [3, 27, 1], 0), torch.zeros([4], dtype=torch.int64))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a, 1: b}, {0: a, 1: a, 2: c}, {}),)

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
    ((tensor_from_text('c-oznK@NpL2t!M`|DFFr|AvIT;%rD1nYI+Po>On^5k2BRPhnm|{rP+zFW=4lEB^Uj3qLP7yx`dQ&H4pA2v5qN^cCn{%e{5%k3mm?zXUo`B%b6Chdc^=;l+1b-|DD)>azyD40SrJ)8U+SILDi>bmS-S)zxRjPk>V&_ozZ&3H0=FuWx?2^3ccm_EEp<o)X|R%!|RFf<6?~qx<N;K|WWAi}q86^Qq&WN%x+h{tpX)0k!', torch.int64).reshape((9, 32)), torch.full((2673,), 0.0, dtype=torch.float32).as_strided((9, 9, 33), (33, 297, 1)), torch.tensor([5, 2, 4, 5], dtype=torch.int64), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
