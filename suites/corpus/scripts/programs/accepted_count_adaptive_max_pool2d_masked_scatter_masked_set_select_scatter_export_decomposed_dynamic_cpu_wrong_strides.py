# programs, export_decomposed.dynamic on cpu: WRONG_STRIDES [3] other strides than eager's, and it keeps the memory format of an argument (got [66, 6, 1, 3], expected [66, 6, 2, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4, x5):
    v6 = (x0 == x1).to(torch.int64).cumprod(-1).sum(-1)
    v7_copy = x1.clone()
    v7_copy[x2] = 2
    v7 = v7_copy
    v8 = F.adaptive_max_pool2d(x3, (3, 2))
    v9 = x3.masked_scatter(x4, x3)
    v10 = v8.select_scatter(x5, 1, -1)
    return (v6, v7, v9, v10)
reference = program
example = (torch.zeros(234, dtype=torch.int64).as_strided([9, 13], [26, 2], 0), torch.zeros(117, dtype=torch.int64).as_strided([9, 13], [0, 1], 0), torch.zeros([9], dtype=torch.bool), torch.zeros(833, dtype=torch.float32).as_strided([2, 4, 8, 13], [416, 104, 13, 1], 1), torch.zeros([], dtype=torch.bool), torch.zeros(12, dtype=torch.float32).as_strided([2, 3, 2], [1, 2, 6], 0))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {1: torch.export.Dim.DYNAMIC, 3: torch.export.Dim.DYNAMIC}, {}, {}),)

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
    ((torch.tensor([2, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1], dtype=torch.int64).as_strided((8, 2), (4, 2)), torch.tensor([1, 2], dtype=torch.int64).as_strided((8, 2), (0, 1)), torch.tensor([True, False, True, True, False, False, True, False], dtype=torch.bool), tensor_from_text('c-lQwZBUd|6kafq5si@uHV|CP1x0X!#R%8E=UvwE18J1T#YM$H2{cnaOwB=N7ZF4Rh2bMX43SOqEBsgxllPuQL&eoZO$h_c6org{)l4zRyw~i<ojG&wdCv2k=bZPINGyi83+vS~(|KaGSKz?iz3ALBOjytwjj3Jjc)>O+#abJH8%9UcDs2so4AF_fr}Pju^Z=1aj0Sbg5J+yVZ+IEMuzBZUkeCm}J0DVgX$r-LMD!?Zg0t1f=|AS>WZfn&Y#Q@K%&rTzu>9Dj?`V{<Ok7&!gR$<N#1?4bH9vOof~6U&Nb|)|aR2aUQSwsb9}!Yy7|peQnkWY2x7k!YwmrxatvUwYQOiJ9*hb8yyHS<UMWn95FnQQmVEMw6NEp9i9dT}41gG8XB-aCyF|_jssLOak>g|f*d093*a?PN;c1#$}Z|;OLI0KB+clTQCP{^S>RY@84QOXW*BU?pfYZ{dg=9BqdBXMQ;38=g0h*5_h(D|}%l2_Y+JrNF!+wfNR9kC^(QAE3ZWc5sowxVBdD){X)b6?YYym($zn;Vt)#}dVm-SB>I9;lKU@K(nJu(&HhekP3`a{Pw#GmXpQrh`#>6&OCmYG$4on&wHMV!yZG+fvIt%GOP?Fg|wvifY08HJ?D?BnNzTXEcl&9*2AO2avLHm!`71tF<0rS~3%brG7XV_=qODB#@pl9%M<n2CGZL#Af^T@J_jg;}!M^IDV&9OdeVVoBBqf@}eES=2{gw8lroZu&+`BTl)=^X=L|v)W_+A%hgc4_$2CFy<qCE1DF|d1T&>|ber%w)yD4SepI_m<GwGy<_811X{bG#PHR5P6rEyb<6)n1yf^lK;+HCF&auIuB@g;nFC$57$~dlHA*T}r88D+dw{$>}(|E%AJ0(xXVyzxo>^~)!@7Tu9ukrlI%Q(;37hdT!8j7ZSz?H>uSo1ud9Dg<!FJ-QzGrv@l$=zCx(Us5Qx&O_=FlF5w!h%1eO{lPa&-Klz@#R|LE4Oh>dyoY8nrl&Z!;|~u-<E^JijsMqzw^G}^K)_8!S~Nw>&!Klx5}old%wyz;N1#)VZPT-bmG-Mh;MYT9O=t~N(V>5$@4l5j`kK9uIe#NHN@Y-JtOaP{E-qJ7AtLVr4jhfvlDQ8BVqjQ16$yplN>s}I)S@x=76-wiA1ENA?stIe-K1EZx?+XhYO>PAMlwR)7OJvo)53%deSO3W{rRfgNpC%2&ES&EG9hn<`5z7$4&HUpa5$$?~%nbSL1@QO32A7CGC@~ko3_;IDaS;R55+9_OXe2`U*no>1XO!zDtZuSK|6m7%Ygu-#d+{eIO$@4{rG1Yw1o`;kF`xhMQDE^Netk*jvCo4tMgT5f9x3mZM+T17|fi@X`_mHI(E+^q^k+O|pyk<>7Iae?Oa7%qA1VJfR>W5Y>kra7DT^B$e9mwGNgO8e7Qs=d|%D`==SMq*bfqj+Q}Wi9ZIJL!npRhM_a8d|rAt3d0ZV!?c2ns;s+Du;xNOEmvsO*B|zQ_vH-iI`~|jlbe8wb15jgWP>LCQ^>mW(revZl*YyIS^W!N4{9|', torch.float32).reshape((2, 11, 8, 2)), torch.tensor([True], dtype=torch.bool).reshape(()), torch.tensor([0.9782973527908325, 0.16773751378059387, -0.6274718046188354, -1.7361174821853638, 0.40899473428726196, -0.635059118270874, -0.9800387620925903, -0.5293127298355103, -0.3997523784637451, -2.6481170654296875, -0.4554344117641449, 0.05617500841617584], dtype=torch.float32).as_strided((2, 3, 2), (1, 2, 6)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
