# programs, aoti.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (17). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eit
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2, x3, x4):
    v5, v6 = x0.nonzero(as_tuple=True)
    v7 = torch.sin(x1, out=x1)
    v8 = torch.addbmm(x2, x3, x4, beta=-1, alpha=-1)
    v9_x = x1.clone(memory_format=torch.contiguous_format)
    v9 = torch._higher_order_ops.associative_scan(torch.add, v9_x, 0, combine_mode='generic')
    v10 = torch.arange(-x3.shape[-1], x3.shape[-1], device=x3.device)
    return (v5, v6, v7, v8, v9, v10)
reference = program
example = (torch.zeros([17, 17], dtype=torch.int64), torch.zeros([21, 17], dtype=torch.float64), torch.zeros(160, dtype=torch.float32).as_strided([20, 8], [1, 20], 0), torch.zeros([1, 20, 4], dtype=torch.float32), torch.zeros(64, dtype=torch.float32).as_strided([1, 4, 8], [64, 16, 2], 0))
a = torch.export.Dim('a')
b = torch.export.Dim('b')
dynamic_shapes = (({0: a, 1: a}, {0: b + 1, 1: a}, {0: b}, {1: b}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((tensor_from_text('c-n=POA^E&2t*Zsc>n7foke6Zuc|9<C<$qxX|<<!*|k~Nd2PLRop*)pBCcF}5Fg*;zvucr{jc!He!vD^1776Y*G3&pd>`-^<TvCSz#E8v&@cCqcLIm;4ZJ4AXYjpI?}VQ`DBdIfV7?9cDsT$?<TYbXtlz|bAbvp?ir*^Y*<Xggg1-e`9efn{v*4Y)b@bPPlSG~l{DnDE*AB}*6^~2s;o|&m@XUM;J`d_N^f?5tCU7SHBhD7*in^QV>!7cLew6-`n3oHE6UTwq#676=oKc4XhxY{+c^{%~o;%fFM?7`(b>0%@%K5o?znJep*ZJc-nz%QUc!#QZFB|Y!w~2R*_iz`wpxztssp}ue7Fdh', torch.int64).reshape((16, 16)), torch.randn(480, generator=G).to(torch.float64).reshape((30, 16)), torch.randn(232, generator=G).to(torch.float32).as_strided((29, 8), (1, 29)), tensor_from_text('c-muNU}&h1DB8c{h{e8T8JF$feY&<UVut&Epz!~Ke>3-O=IXY;u;JRi?$d|uEoCn6d$51{{{GI${a?EU_B)>SwDV!wW54=(to^~_NA|nI*Y0CKz-R9?WA1*bV{`4NUkkUNF?Y>A2B2XK3<v7@9KH8}Xx5At`|Ql^`{tF+w$FT}ZNKuyTDy&Js_mstuiba*lV>5wNi%Ie*!xU9w_oGrRoe-Q$HDq^6q@&+m?X6SVbR+C$^{bpL1G}a9afV24~a1{NL8G-2H90MEor|~hWP%=>)Q4|c(~Xuc=?2VNofo1)%n)gfz1CibCLbD3$N_U#M{93?bJF5cjL=HNA2#MKWfLBywvX1EfsJ$fUs*tBHV2tyFlvWlza9iNiVi{zP;J@jqJz$mx1<*#7G<v3Hf3BgYU5YowTX@L3$wS57e(-?7si2?Q%PlO6R>>uh;H3JGREoIbiR8pSObhlV*2A?E<-jp<(hJZF{ezz4p=p2kc?~oPDu%KhtS-Tlrn9L25x_|F0dgw9kCJ)_#kf(EhsuO7;M)=+(6', torch.float32).reshape((1, 29, 4)), torch.randn(63, generator=G).to(torch.float32).as_strided((1, 4, 8), (64, 16, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
