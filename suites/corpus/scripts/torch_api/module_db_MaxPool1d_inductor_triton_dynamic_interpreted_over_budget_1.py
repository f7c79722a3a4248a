# torch_api, inductor_triton.dynamic on interpreted: OVER_BUDGET (1 % (x0.size()[2] // 4)) != 0 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.MaxPool1d(4, return_indices=True, ceil_mode=False).train()

def program(x0):
    v0 = torch.func.functional_call(module, {}, (x0,), {})
    return parts(v0)
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
    ((torch.randn(450, generator=G).to(torch.float32).reshape((5, 10, 9)), ), {}),
    ((tensor_from_text('c-l2oYdDoz6h1~ugplq=G-4uMP%8E^A!+0!nGlJokxRNE5l#o?xC~LLr`xzyx}e0QoV|{yCS8UZp^Vfis$oi|@{~9;d(Zf>o^OA9?Y-W$*88r#;^<v^eY}!DAP^<g_qlAFGDkpDS2{wotFnEU;|R3SZlFD}ZD3XPo^<@sD;-f=MjZ`ZFtd9k%y0Judn`mU^&nvZSe&*p58D0qq151J4X`~HSH;~J0v?Mo)isD1^iSsdtt)+TNs+g7>g+ySpZW|G2xJND{()#`+@-M$*t*v}4B6M`aXOY-lmIxW!#TMYWY#Xn5l_SM>ZPTNdoTLhEwB+2c1|MLj*l#|2|Y0rD~mo;hW)Q8Zs*U&nOol=TifW1V4PgXp7{bZa)^;(9j{;8eKo{i)2C6@-c)T?7O=C{icF$3&I6Jq&M5KMB+Vvfs9xVstzV}T)~nXYdTGVtG!$13(CX=1pe_0Zu>Jd)Idtb~1%6ZH0F968sQU3-`t03FhR<u<-Oy~u;t$wFfzy~jQT=`-_pLbpu3B4nicH7n8L#Kbr3Bpa@-8`AdkI<3ViW><7Jt=DF~{%9R^t5`Hn!IgaD{Y*tMmK&{e-aGF%at0-_Z4EkAm{wjre};5S}+GfzU<+h<A>n1ww6Nveg=6-^``Md@T$~#sQ%gO)&~4j^=TYx5*Fd4Zh}>Pxp3Wpjj^ot&N1R8UfE+*x!NKP3AC7SV$XHHiNiLNaTkFU}2F9PPd97V4Xkj%YoKTTlTGV3Bo?N9_i)_`Ixc50^IdApdhS;>q7s_T&|_Gv1cI2L<FPbEg&Y;28Y%qk>2O&D1DPmK58YA|1>KQnYC(ygLoVryLcJu%}s*TIVZ2x)FqPPS{Pn|S0>ljBKZxF7;+vIL%Y2YMjFusom@P&RR}r0)3HhG6=CPx*SFX;#NMNN4?j@(>vi;n)u0`V!^~3YB!tIwQN^BM7&Wn*uvqNQ;IqACUVRe`bFnDC5+ypP(Y5&#<=A2Iu-%DJ)0VTCTs1_5PM2xF<vp-;J4Qq5Mqr}Pa;8be$eR^XuZUUbs~d>5DJjrXh_*xBUqNy01kUxD)xI2K%PSp}osQt^n(|$oJLlt9iE_Y1=rCPHt;(#C<;(n!MPs1awgh#>hq#U&B;1Bm%f7_1i#<^g?#OEvZ3yE&-QqT$@AlX|FuOkxv_HiH`)_Kh;(hb?mVl{86m{F7hG+JrT${5ok4l1HVsDc@UVhXA`RxT@9p;LO*5zQ_UNEdF1>>UVo*KqXup|@A?_*EtJ5XO^C}TM?|1WopNSksP)_ER;3&-N<w%$CFmmUN=Op|Cu#cw2QwT$Q`=1JLk#|LWgt;TyadD~0-?s(#@avga6<Z`uY<0R@Y-At4wtIAx@`H{+tt}r-C#I?7{w#qJL-c&Z%2}|TTWKEzwudA?Cog|uc&@T#%_?sZQasa!l&r+ADQ6$*K4ZJk9WChWYq&Dpo&Pc1GlRPxwTH0Lnib@9U2v4Y0xrphFBV}gYZs6P*1*ws$*qPG^dF7uWa0=xZFCu1D=NsFis&NtTanel*UJdcWoi8tvj7z3erq|Bj8^%?bdoGF&n{&NJmPV5w=kJH%*=Bb)rj(P2(o{6Qbpz$EpG(VsP6LazQ)&N<V7z%Gj)=oMNL8PV6n!`du}<EoX<dT;#^dc+Jim{wxX<+i$C{E=48t=d4{_k!{?A3icWElPWI+@N4;+EGvI~61KbbGZ(N?CQb12<5{Cqz>HTOD%EL=!e!U@of$fGU#zk)%Gg!k7V)J9gd^C!HXZ;#*GN?~|*nAs_c(8^04$~WYqg4EOBwVYs@ybI0Z{4o4+HqRq<r!v=t-XcGqYetqM{?##wymI>kmC}rH;7SP=4mx0A;uEsmL(KL253N)V!v', torch.float32).reshape((31, 2, 7)), ), {}),
    ((tensor_from_text('c-lQv3s96*6kb4CK}=q)B2zI5mPQZ>#$)%MwL*p>GaoQn6f`PsDFM-hy6yij#l|}v$v{>la7G5?DF_4n_xxfCgTYitJRD-kl3+j+OvM88-i2oVJLlYU&VSB#&iU@Mes;9O<|hntSK^Ix_Mp0zPsd}O<UJ-=ZFh_bYnEJsqAnwR=34=}+>7*&<Bh0L$bv$l5WQ5^@^G*bw0A-@kFLT_TQjz+tQ5>APATCjmt1L6dI<!FHqko~mH58ygvL5Ifu@|ale?zF6FsNyQcEs&L?PZ`C9WvFfxAP0z;#yspuZLd%)Zt>iHxajU~^Ujb-&+_r>9l8#O%#|MQeuXE-Nz@Bpjw$4c=hhe4XY^egyT)jc}dhV1L!)+J*;Da(rP$LmGyU)%Low2eL9kfnk00J@i!;gX;66tvbUTv28B}op=hO-3Kvu>IGh>!_z>AJbZ~~a|0QidWPGYqeh9=%M9WB%B19qEQ#fPLda&mhkD~d_-(Qn=8j6>xNi)ZkJ(ju(Grs>2i^jui%2)veoEbgvtVefZvl%e=yzojlTQ<6adB^#kd{^Tw5jW7i2pZ{rtYjmAw3XhK6J)|Q3W7mHgGH~_V;n4#_9X-aP7t~D7`s@EZ;A*6Vy4qxIb`oAx<G~=<#6~gv#k{*t*O``-;>}eM&~K-)cR{e)=C`<8AmKZ<{Wk?`S|5fRWfq+B;{ZL{$doKxN@Q2`gU$$4z=D#(ci}p7|?u$UcBtcpwVKvO-8n-b+l*$J#9YS>|1%Oog*&2)_Ao3#Pk$iSn{<@UG?r4YBD_uL+GshskOZTX>T)9QoD+0tY6z?r<)U`bUHlmIp_>IZl_tG_qgnr7@lck~Vi=Du2zy?M=(wk=3eB8X@E5rDXc{adsDaq%>lkzFKB_bzcFVnl<yCvD0}Z7)0fd<gy})&0jb&VWb|xDd04(Sl~8`lLd<|3zt4<#Fnqmhn!!Rtq#5L4n#m1ueoEu5A3Q$O-1*&d{!4~{9sk&tC;@YMZ)sdUuz|KD+<ATIKQpiAsSdrk4qnya@b+K{aiWuOSJ`Uw@%QNFAC~IjcyPv=fTFWKH)KO0ZTbw{w}HKayIpO^~w4iUOV^lb~KRJd9U+9t2qxC-Zwll>49TgVOw$%b-q`J1u^lMboMIt#vz|=vwtntZjoWJx2da<(EC^`c{xZAX{D~}#kXU6U`OlrRzXL+5f?ejWCnHAR_P8woFNhY5_aIot#{E?C!pI*g=CqVLi}~N9=4yhl?wv@g!S5`3;&CP^H}X7j|KCYLGmBHKm)@', torch.float32).reshape((21, 2, 7)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
