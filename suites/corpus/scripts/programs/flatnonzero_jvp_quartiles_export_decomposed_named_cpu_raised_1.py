# programs, export_decomposed.named on cpu: RAISED build raised AttributeError: 'NoneType' object has no attribute 'size'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = x1.nonzero().squeeze(1)
    v4 = torch.quantile(x0, torch.tensor([0.25, 0.5, 0.75], dtype=x0.dtype, device=x0.device), dim=-1)
    v5, v6 = torch.func.jvp(torch.sin, (x2,), (x2 * 2,))
    return (v3, v4, v6)
reference = program
example = (torch.zeros([10], dtype=torch.float32), torch.zeros([13], dtype=torch.bool), torch.zeros(48, dtype=torch.float16).as_strided([4, 12], [1, 4], 0))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
c = torch.export.Dim('c')
dynamic_shapes = (({0: a + 1}, {0: b + 1}, {0: c + 1, 1: b}),)

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
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32), torch.tensor([False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False, False], dtype=torch.bool), tensor_from_text('c-kG1OK1~e6on6^wIC`5Q)?6~2u53jO-wQ~f98>df`V>>($p$K5s|Jcy6^$RWDtdtR$Qp9k5v@4N{vl2%}g?n#Dxn%bfpyprD#>O&89x%i2lljvp8Jt_i>%rHFCGSO`5N?cE2QT@vF>90^B0aHk5b}xM&ZA)F|Y=!hQ3G1$CmQ!LFJ-Ju|G|7M^Lpv=&P#<Ot*!eqU`zXP(c->Wm(XNMrVRd2O!W_!fZ5@`GF2v_2gQ9oH$+l<!5;EWi{;^_*Sc2DIkzcY6H;A2k24h+H<VTOB4`FV{lZHKCQJW*?{kyYr7J?KuM_DSnC^W7Et|0V?EChogN#Tq3F1YU4?CNjhJG``URM^m3=FP<?!|3+@*I@NsYaE6g88*?<gnmQkmB#mS8c9&VN!BwxuZwn;lA><ct19W3NW;#deuMo)50<z<O~=5Tu-PB_1Xl=L}!&^jJ%53jRms{kh)$Sch=#qkQ1JyXk_H9c(Ytp5^$+Zo<vE(9B-E)a23X_o(~-E`W+?46^bA!`3ry233Mpssh`O&b#23;O=8d1|*<nJam0sB?VUKf>0xL+PG*PoOT)od?yS{QrLfa#unOd4v?_F}%{@0F=#ErgS7YGL>Wc#d!6c1ofld$Ic5IxZx7y3?){pe*t_y&{F', torch.float16).as_strided((14, 18), (1, 14)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
