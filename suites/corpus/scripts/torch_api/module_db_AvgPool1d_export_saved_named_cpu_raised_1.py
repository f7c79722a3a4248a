# torch_api, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (c)! - Not all values of c = L['args'][0].size()[2] in the specified range satisfy the generated guard (L['args'][0].size()[2] // 2) == 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.AvgPool1d(2, count_include_pad=False).train()

def program(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32),)
c = torch.export.Dim('c', min=2)
dynamic_shapes = (({2: c},),)

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

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-muNU}z9$e`VL>{%rq;em(mI`akWDtnS?})h6el?sRg`WzK#3vpYHMfy(L^IXUj*ja;x7$o_vwjFEwHg$PLe|Mp{f`xt->5Kfr0e*eRGPWyD@7yF8T{oP+$-@X65QrCWv{$1xI_n%uQ1!mX$Hs8N3foGrk-A14p2kJrQfW+NwHh}p;QY&o@<^}Bs*>i8E;ogmXo9w>5>9hl>Isa;w{q)wmb^?-2`{qjI?yHXZVE14SAJ~mYdA{%Gp7eDu$c*1-{OoiVOxl0k(%9kso7wyFWKY-_n4h;VEQ{a&<*b0c{B+%YvmQn51KCmBw#F8uzkT6Odl3J<h=jw(#`pV9eex^}RbaIbOj)ycj`^JZ?9ToBLH_h@mbRV3k#4h5L)WgsNPmCN*|l~*mkA$Gt=nq<`RXpaH>z9*92pja-3#*D3mY-}%+6?g0Qpp&O8', torch.float32).reshape((2, 2, 23)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
