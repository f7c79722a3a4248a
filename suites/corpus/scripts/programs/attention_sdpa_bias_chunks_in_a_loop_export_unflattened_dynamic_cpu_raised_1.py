# programs, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][1].size()[0], …)! - You marked L['args'][1].size()[0] as dynamic but your code specialized it to be a constant (5). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = F.scaled_dot_product_attention(x1, x2, x3, attn_mask=x4)
    v6_parts = []
    for v6_part in x2.split(4):
        v6_parts.append(v6_part * 2)
    v6 = torch.cat(v6_parts)
    return (x0, v5, v6)
reference = program
example = (torch.zeros(37, dtype=torch.float32).as_strided([2, 2, 3, 3], [18, 9, 3, 1], 1), torch.zeros(541, dtype=torch.float32).as_strided([5, 3, 6, 6], [108, 36, 6, 1], 1), torch.zeros([5, 3, 3, 6], dtype=torch.float32), torch.zeros(225, dtype=torch.float32).as_strided([5, 3, 3, 5], [15, 75, 5, 1], 0), torch.zeros([5, 3, 6, 3], dtype=torch.float32))
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3, x4):
        v5 = F.scaled_dot_product_attention(x1, x2, x3, attn_mask=x4)
        v6_parts = []
        return (x0, x2, v5, v6_parts)

class Part1(torch.nn.Module):

    def forward(self, x0, x2, v5, v6_parts):
        for v6_part in x2.split(4):
            v6_parts.append(v6_part * 2)
        v6 = torch.cat(v6_parts)
        return (x0, v5, v6)

class Part2(torch.nn.Module):

    def forward(self, x0, v5, v6):
        return (x0, v5, v6)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1, x2, x3, x4] = args
        [x0, x2, v5, v6_parts] = self.part_0(x0, x1, x2, x3, x4)
        self.steps()
        [x0, v5, v6] = self.part_1(x0, x2, v5, v6_parts)
        self.steps()
        result = self.part_2(x0, v5, v6)
        self.steps()
        return result
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
guards = getattr(exported.module(), '_guards_fn', None)
unflattened = torch.export.unflatten(exported)
submodules = sum((name.startswith('part_') for name, _ in unflattened.named_children()))

def implementation(*args):
    if guards is not None:
        guards(*args)
    before = int(unflattened.steps.taken)
    result = unflattened(*args)
    assert int(unflattened.steps.taken) - before == submodules, 'a submodule was not called once'
    return result

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([2.152165174484253, 0.6312932372093201, -1.9255927801132202, -2.027254104614258, float("nan"), 0.3470528721809387, 0.47934308648109436, 1.2796258926391602, -0.5191023945808411, float("-inf"), -0.09547682851552963, 0.9016638994216919, 2.2157938480377197, -0.763772189617157, 0.9488458037376404, 0.3234851658344269], dtype=torch.float32).reshape((2, 2, 2, 2)), torch.randn(588, generator=G).to(torch.float32).reshape((6, 2, 7, 7)), torch.randn(252, generator=G).to(torch.float32).reshape((6, 2, 3, 7)), tensor_from_text('c-l2ldq~q!82zR8LVUDRLV7!kWj@v@#@O$Et)Qo&xrDI9f=r7tv@$4VixnfH%@S8m%X}nhQEFJA{_eL7SxHf9O9^dB_V9s9%R;SI_lAF5E_~nl&N-YT2u5$W(~XTGI!LPRp)H{^gj>l|RR1;u1VJz+&>{MKkYd}nZCN>U<xsGoMOvr6O>Q*>LiXWt@psP-EJ!G&g5WUZY%YR#jh8k5&J02B7lhs4S?i%vwTZ@vD;;@9T{PsA3TK@S#`cL?C<@Nw8hgSc3A;(Hx8lh5GGsI6!(86Sd71X~jQyQu^%yhY$2~<Ix8TYCW8Akxa~0<7io^?~fqay8@V&PC4QgEZFwL{Orj;^|Rn8HrgJ_QNT^EWEqt8M9(?-H@<Cixf^Yia{+1@{{1R4MG023%4hvCbtD(u*K9hP=IAdA9Pj`L1`$1=ZUOp^uSPj5ss!={W@0Zo=cg{=;fg7@+J{!Be~=>gj{qi~|4L3Ev3i%o0tnU+`gYXjO+RFEofr{zXFO!YnhHoxk*i20LB>}xZ@*uosj{IvBpU|c{i38>SO8|n#IT<L@EC@arkxYPr++4F%87Q&W56^*;!0`tfUuCKW=hR#+qx%TxgQ4al}QsQIcWA|WDv7R!m=6E~#Z1(cr{I(ZE{D*Fl<x%4_L!sprQ9N4$2S}loarvf)5mkB@bj}*qijs}@7wb*{+4>TmU8X4&)RspQ!!pl5(hl)n<$JBfu(y==vB|C^C6Wafgyxcgl3}XQHNd-(a?F-rg8%so#;u0mysw@$1!CI!6s*s^2h-g!4)%)GD&AwJ>_{`i&VAB{)7>$B|G{#qoN2=klLcUvLg4(k0j$xDWOq{{bO+r;L&kR+xj&u04zHkRswHrZ%5hXtDXxw_4V)uzwgYu$82aKT_W8yUt?ec?8#hW!>qJTf_oL7+f_B?M82%H>z4+vb$h`dpEO~=3', torch.float32).as_strided((6, 2, 3, 6), (18, 108, 6, 1)), torch.randn(252, generator=G).to(torch.float32).reshape((6, 2, 7, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
