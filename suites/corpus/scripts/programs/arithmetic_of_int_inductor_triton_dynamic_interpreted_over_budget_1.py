# programs, inductor_triton.dynamic on interpreted: OVER_BUDGET (n1 + 2 ** (x0.size()[1] % 5)) == 30 (compiles 4, allowed 3)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

class Holder(torch.nn.Module):

    def __init__(self, k):
        super().__init__()
        self.k = k

def program(x0, n1):
    v2_0 = x0.masked_fill(x0 > 0, max(3, 3) ^ n1 % 8)
    v2_1 = F.pad(v2_0, (1, 1), value=(1 << x0.shape[2] % 5) + n1)[..., 1:-1]
    v2_2 = v2_1 + v2_1[::Holder(x0.shape[2]).k + n1 + 1].sum(0)
    v2 = v2_2
    return (v2,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((tensor_from_text('c-n1N3s4nR7+wi5%W42gNvVZwz=;&4K?}yaOpaQqSX!ncuBc#W<`j;YscYh6R1`yH(h)Z!^lC<cFsbN0Kq3YxT)n)-<)xRGUY_!}YV3EE&N?!4Idk^>=YM?v_y7OlIF2jHYt{8HLXK~>p?{SfijCO2^cJXlzUY-4b<eN8|0BN7pFC!2|4LH0R`pz{SawZaxlxDv)N|?J(H7kME}$1{df_8{U+2;c{lC22VPN!d{Hk9ka`@}s-2YFUWol66xhZW`uy@m3ihE5bYjN-6ud3mXe@};w-m|Fpl*^yl3hMo)3D7T@yA}3a_CJ4H-IEP^=ux=Rd+J_kTG$S`gQN@J*BA$@dK5YOF6<{yuZO)$Y4_E0@!RTR=<#&6;=a$}8;I}b-ZJ=CKK~x<Tld_+zG{^T{<lVE8Q3_@fzZdfd%;g7b0zR34=&t+zS&zk)m7e{+=K5kyb7Mg!%6B-pHBV0GN~K)y{BG;yvrKoi^0|MSiSENa-Gee;JbPdVek=pBT^CP+0Wsx^mDMiz{ra$N~++;i11beqgUKvYSS@s37$JsXntqZ!LPcg3f3-nUSG}155$w623)x~cMU(3fQNUHmrnm8_WOXoCw@HD!yOw3-jUTK(=_r6<U8;?)!BxPOSU^*1G)GntlWD#PQ^v)_^{r<@@rkK!tS{@U1^;x&!Ks6YC*gt&K3BH_uoPulpcKo<a}p80Itp3a87(Yu_uAijj$gYgFJF;79f5Sate6Mfp*}Nurma8#Lr&z82YX2S~UEhcjX$(53YSF&C^pJIK*&j++<;DCBAQoN8O8F9!<bEVZv|lciI`mBWEh@?0vFlULWj!6N&l}mpP(NC1X|->|V+PkHv_&s0ZPLZhOM!$!(??`XiITZ!XB0_JbwwqrUks?ebu6jF<tvf3F8FQv8kzHjgCiK#r!4Mx@%QammB4m+7>;01nUcMA*2u7Jde7Y%{R@Gk#Ra>J=8x>VdwCHINfr!_Xg<tJlCI@ko9RTL%MnM*D!@V)%F(XU>%dO}*%LKQw6T6ZXY}m8dsS{;P(~tMqC#?K2LOP-o(c`N+FsQ{BeqTfQ?AaS5JpA#dWMa9a)jLyzJfAJs?exS<$)<;Gsmh5UlEs8h+&2mF`M@!+FiHb7o*i#D_P^2-yz6UjH9@}b1D5q|ydjkv|8`L(Qn{P498ac;`X(BS;;wru2IKLxzui_^@=`~GCwSG{(%)A(mvz{@NJeL%83)xq`=IVBb6;=aXZwoaw6D#Rm>{|Wt*<h59Eu3v_F=5xa_XXG+_)Fbctbr<v;2yW2S`}Exnn)-UODy1Gq$X$qdpkw>dCyVoeb5I`o2v3fsV}08X^HLfd(5cb?e;>23eNj2S{uX%W9hb}6C#zy}S^jd{CSQi%9b=FWIlHTq#aStet7Un|w;79(xBV;H*m)srUpWN4$#s8$JZC-+@bzR3;+4;C0xtaJL3B>;YQx+V%PqyMzk<;feB)aSig0gB`4QMZ;doV3&wHAUY+Ukj6P^F=c2&A(@Y>AIrzHD!7Jt5AA8-?fC>AzuA^BVheLu|6^mF172)~uGL%>CjZ=>%FYhm;A@+6ieq_Mck`ctSMa>E7ol&w)F+;@uYVdbQw+dH3`e^2#d&tFJD{gS!E{$TCObNy-lIvbD|(PmmH8<%LBi2lb}R>KcDc%c<>Obny%orrq)MRJazpU8!m&~KH*KNXEX**|oHrwv`;KOYj@j5@3=HyX74l;$gH3Eq1`Znw4{?Hqawc&;p|q4U@|4!j7>z&lNOC$<uJ*^Ext#Cg#Hyp_Lr3GXA`-;DV}yywKg&iJKQHSfA1W5GKmX#@HJi4359!qFxZdcM~q-z3BF1n&Javz*O`_{R23wy((^$6-$i;K4W29D7rf=N8&OgiVL2T%Qx{3aPgB8lG9tWFy|*x(W?{63xI#^6SDp5&i3E-Ml`EzHb}H;ay60SpS8bbu8wg`0230gyEkwZwBxYxYy{ME(k?m<hHsMYwE{TfP2F2Aj~bvZL6m52#%+%ES`duzSl%P%c6-pw7M7Z1|{NM%O%B797R9yjQG)h_iX=?ZksVTNJ@4W<xk=x<aN1IqwYT(QL}d', torch.float64).reshape((4, 10, 10)), 29, ), {}),
    ((torch.randn(400, generator=G).to(torch.float64).reshape((4, 10, 10)), 17, ), {}),
    ((torch.randn(256, generator=G).to(torch.float64).reshape((4, 8, 8)), 2, ), {}),
    ((torch.randn(400, generator=G).to(torch.float64).reshape((4, 10, 10)), 2, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 3:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {3} suffice")
