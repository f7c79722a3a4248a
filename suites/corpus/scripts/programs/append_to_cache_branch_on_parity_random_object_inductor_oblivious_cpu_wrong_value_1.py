# programs, inductor.oblivious on cpu: WRONG_VALUE [1] +inf where the reference has a finite number (wrong 107, elements 128, worst_index 0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import random

def program(x0, x1):
    v2 = torch.cat((x0, x1), dim=-2)
    v3_y = v2 * 2 if v2.shape[0] % 2 == 0 else v2 + 1
    v3 = v3_y
    v4_r = random.Random(1)
    v4_y = x1 * v4_r.random()
    v4_z = v4_r.randint(1, 9)
    v4 = v4_y + v4_z
    return (v3, v4)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-kdZdvFx>9sgnl0?JDVNCt!<fe`b&$L`&}F9`<0KnMs$TBf1s=!gbOB}inmT#Jc`8X%4ufe=UyCOPuBOK$J>@!P#ip@jks4~wKlG8yDiQG(P!NxO#rw%+}7v$y;GeZHU9g4E3&=0^2d)PEy$gWKdoIsix@f(7DZu{V5)!fxL<9>iW6#0ECcd&LX>0u#gs!jQwKl*?y)05h1uIkR)7Xbm*LP<S6YNWMu=Q|e+LrnPx8lp8I*<N>7jEJ7g7G!GCLT9fssRj^Vikm~da!HJHS=u%};%O+w5dPnK^oNKFKTO1tcb?-iOSbOL`(mFi?;#JSeIEb0TC*;XqjL;8aJ(20Pu_mamQm^wjgh6gNtHXDV!`MZZ>dTzV;k*3bk#iAPk5J7NSS_eH43;+newqeL^8NvhS39G3Bi9g~W0BNt7l?%>r=LW>GM48I<W$R*c-pF__hk@W!RhF9I!LGWe|g_hcF>Q;E4V=LsV+L6Mx8W%9=`1PflVRTgaJ72eC+uUNR9Dd3&-PWo%cOQHIUYjpDOF}&J$HM9|ma&>CA5o+eiTl%@kwEW&d7GgP$-OH97?T72H-~3$q2CVArFmC?gl(yj~UmMg!||_rDo{dFV#oFAVVCR1SDR+{Jg3F$JVP-$wnpOpvZ}+Z9C2(YKla@5(=G`3F@ZKh6y?1w2^!d01a*C|n#lj;=dxoga`})iyQN_aqm?^G~3CF(vjM#v-5|26d_C5D9RG{;ew|swmq6-^**|mtyrH%$bc}nq>s!52CMfb#xiK&rm6Q`mr7WANq>xq{@=tHo@Q0F@!+8sqW-n@QjHC!eblHd9XUtn!H<dCLKVx=zWZ>={4oL@~t|@cY~3QXJdC2u;w!t<vX+w>(<<QD~^=4bUV2{r>HfF1*^I}$@u+GELwZAKZrh=0gyz@*Qe?p6{Jhi)c6U7Wky0-d@27=J%!G4pL1Gl7d4=)bZ(YMP+1hLs@Mhxz;?ANIgL`$Ol>juI~F8?0P&Ap8egu=Lrdn{DlK<_Si4|?ynsz~?sDBX4%&NS2Eu3~zvuH*GpV<_qg_?>^w^iY{ZA#`&=wB9Mey0rkRY1ArOxSEKq-;|20Nb01#1V+N;}D+89Ml<DMvadGktiIuh<dKBy9%)(h8=&a~x*D_V684K$mCPTb{}WNimAuZ+kw<wG%XkKHihq+^?0=1CI3ADE9aUW-IZIu|pBUWkJ<gm|?SOe^<Kx<_r7s(02?-i>b+xlerJG54t1V*8!2fgn2f&o^Gr-d#M|wTxu-dAN<S7%+NaT>KIrF?I7(FULd=0hBqnypXd*(mFQ7&oUk|dAmwf@*JJeI$Rl|7!nm#MLj?X+4AV34^lf~97Hi|Uq>bV{y-1D6S})=ONSx^X23QZ!ZT$+{O0@E<=S|NYWDvLAwXu5iMb!3J+}FroHI8Z%f-FBds>^jeVDB}cw$6gMje{cB;S-MP>*?3k{`r4WRAs4J>3FXTq=Lqy*u@t*B*SjB-KZk3Ec%e5lxI<LFCD&}{xR;c^zL!qDH#dI<HibdqNm%@)O~>;(VamMOR2vH#v6C}CjK5hNC8y2+;mI;`(tVJFWKQxmoP<t!X*j~!Od9XH`E`~?+MdY%(V&Dr|K)hO0AsVsei-`p^@Hn`YfA5v@^}2$?6rd8GG#G%(6(DFqQeyy;(bD*qpvbbQ-(ZzsRfIqvl8`k*tw#5_^N+a3RfW?9@SO!b#t6BM>L>3B){klal1!OS5XN^1g3?E5-?%h?@a7xKyHF)QgyE0Wm+RZ+Gu$W-02V`m{dwc|4;^g9TU<_`+6Ga@szFQ}SSMJ2x|DSwn%@X7p2wdpmkwR7RA5QG(O98f*9jcML7#QnUthm|23KNkjwqz0ibPWEMG-NyS$dGJDaK+*#ch<Dc_2*jLpGKw5km#&j0d8$CIzVqsllGb!GjrHqCPWrlCkAItsLT*ZCj(NHk9Q=dTFowN)4^ssNCQ_^gWr)htUUf@gAg(OHvgW!M7MZ|aN0r_jW2s^bno4}|1hZ4Ce?7!WfV=gZ<#?g<F9dXpq@Akan7?w9?+Z%2XE`J7MHfNvkG7Dhp`D_I~X*+R`y~Xb*?c`=7GkikZn-k^pePcu21o#VGwL+uoLuaiqEP!}6yMr!u{w8W0VOR7^vyRNrlQWyq$@b#eAabDtxQEaBY*u}2RCpO@G67Yiwfc2*CZbU>eLZIBGh}a76j?&rsm|~GGiK^C36_&-i7yI2(|HU(<w;}QtulU}!8JPv)_wj~1bZN>GAJ2a%~t+8c`CXBjiXGA{|Y@%slkck%nceqjpKXw44LG2<9<7Ye(=tYOmdjQHf@ixCz?h9Q-Y^gMC?QkYySh&b#OT', torch.float16).as_strided((2, 8, 8, 8), (512, 1, 64, 8)), tensor_from_text('c-p(WM|9VOoeVWSIurH=8h%)NVSCj!|Gf-<A{-h1Ffd$Mt+noiEsH^+$rB@nKYWfod%4V)Iacg{w)gB_maXx|3^gnFgluJ~%QL!S#^=buaBsELeziTWmIwA6w`8be0D@*qhK6>F21~Xb3^hP*O~?+uJrXt^`+IinH*eeZ)rz4mVXucd1H*J%hB{@d6=vFd85(pBFf>fv*SgQgf@LSjj6f?O@u$`D#x90Gd-np(sbQ$Ic8uR9YPNjUzday(rt8S=WB9YxOvUl5UfG88rkl4P-e+a9(1y)|p`lPeXxD-r41ahIT(e=Qu?Cub()!pTF`!7TU924d2Bc@@', torch.float16).as_strided((2, 8, 1, 8), (64, 1, 64, 8)), ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
