# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((a) + (((-1)*(a)) % 8)) == 8 or (((a) + (((-1)*(a)) % 8)) % 8) == 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1):
    v2_n = (x0 == x0).to(torch.int64).cumprod(-1).sum(-1).unsqueeze(-1)
    v2 = torch.where(torch.arange(x0.shape[1], device=x0.device) < v2_n, x0, -1)
    v3_p = F.pad(x1, (0, -x1.shape[-1] % 8)).unflatten(-1, (-1, 8)).sum(-1, keepdim=True)
    v3 = (v3_p + v3_p.new_zeros(8)).flatten(-2)[..., :x1.shape[-1]]
    return (v2, v3)
reference = program
example = (torch.zeros(155, dtype=torch.int64).as_strided([7, 22], [22, 1], 1), torch.zeros(343, dtype=torch.float32).as_strided([7, 7, 7], [7, 49, 1], 0))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: b}, {0: a, 1: a, 2: a}),)

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
    ((tensor_from_text('c-oznK@NpL2t!M`|DFFr|AvIT;%rD1nYI+Po>On^5k2BRPhnm|{rP+zFW=4lEB^Uj3qLP7yx`dQ&H4pA2v5qN^cCn{%e{5%k3mm?zXUo`B%b6Chdc^=;l+1b-|DD)>azyD40SrJ)8U+SILDi>bmS-S)zxRjPk>V&_ozZ&3H0=FuWx?2^3ccm_EEp<o)X|R%!|RFf<6?~qx<N;K|WWAi}q86^Qq&WN%x+h{tpX)0k!', torch.int64).reshape((9, 32)), torch.full((729,), 0.0, dtype=torch.float32).as_strided((9, 9, 9), (9, 81, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
