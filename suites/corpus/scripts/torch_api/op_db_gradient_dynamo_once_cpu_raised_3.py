# torch_api, dynamo.once on cpu: RAISED InternalTorchDynamoError: RuntimeError: Batching rule not implemented for aten::sym_size.int. We could not generate a fallback.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=True, fullgraph=True)

def implementation(*args, **options):
    stance = torch.compiler.set_stance('eager_on_recompile' if CALLED else 'default')
    CALLED.append(True)
    with stance:
        return compiled(*args, **options)
CALLED = []

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-n=X3vwe%u0y%A;?myEic6buPg|WlIH~6d$Gvu2QhhQ>5CB<KJyrGd{qxoJ=jZ=>{`=ql-|zeH?|%RP=Wl+#e*Wg?`_J$He*gU2pWoHr_w0Y~`}=plulu~`&+p!Uuj%9cf4_eI{r9_%_xydIKHmTHn&;nn{Qmy)S@Z8)&-3{l-`~%w-pAg@&wq}ukN59?*YWdn@ALf}|M5Pb_xnA^2e17-@A-F3>l)X;_g%j~KJWLxeSFU6tM~7IkD+HD*Y7p_9AE8oYut~|`#m_P<Jx|%v8=80etqui?Dh2do9DQ8^>1DN-k;BBoxhvCMn3oLSnKCK{(Q|o#?Lv_ao)!<{jRgm{&@d==6T$|uRHH!pV#ZSM(eut@wvyksoB@JX8--U_txwGe(vY9&TBV&Uw_u~u^(#o8vNX^+V`Q4<M{l$+_Ubzh8p*y<rvpJuUvEI_2C}t-s|VwduOcd^W1vx#fTY4Tw817d_URq=bkzD$>;cw{nq%5YPn|kjK;Bi;)m>+LL6D2**k8>-?i+SlDP98>vZ<stjRd^Irci@Pa~%suRr%-9eLqAjx(0`?0gtGsPOZ6Oka8I+533q$KLU^W*^u2U5JU@vX)-tz{Z-b9s7Pi`;1Fx&i?%SoA>zKZ)Yw)V>fdV@4<N;yEAule-~oZ=N$0a=U!v3C?0$7{d4ZCl|!*M&%M5Kd2PJ0Vsat3S6<)14zqCu&#5nQVqNPe&*9v+XO1|}Z{e5PnD0E-^KX0dnyr1*d+nX;^u!>ASh9{!)^i~qocQxx?<>~K#t`S)XHF*uTUd5>Z2w#f9OIcY&sY|D^Tfsj{DeFh`|3#?ANZX3?TEF+w#<zypFX&k%n`@6E@16-jb_Kb6BnO*;5^qAzh1wt=lVO>OaYsndvW2L+8E))VCxu(wGhi0<BFIWxN%(@tm`wra(|sT@?7t6Ungt2Sd+D{-MKe=d|lgpUoqp|KR59&uRAd1=U9ka$Lp;X505>*^62FHKJRzbTrY4PFv+S-Cu@`Qo-E9a^>^OyW^S#WTdT1SQJb7Kn&p{Qb3VCO);YhqHi~%j-LcDX&%zO?#m`uH;-gjXzp|F!9kWaFz?p;B7x2o$cD-Zww_545S6k|f%KDEu=KRbR3mJpoo%hy0ezR^q<ILh@YVXq(7oWX0SMF_K16g0|9HbsU_mkCthU->+Wmp(^f;nTwBE(MOfmL?^7c6e*Mf^hEjeJ*oJvYvS@xMBGm>yqCs}4b)FW{@-JHRs(aNUXllQDU%<+{WGV*Saww_DZ#*CjC7x+jJ6LcBR+XmEP9&tt`N9K))8iK8!k$a!oHtb4xK!s_oOze!Fi@(+!?KgppHyPw}@{8^lX)ZknnmP;4b6#N%!bFx-k+|OifQJq--#6@R)U~zR_|8|VRJsoibaXWArII@!~S$INX`Z_O*gTP|MQNc4+)+an?uBm2S(fb^_6Z04N%#~jTm<91C_?gLl!8(5(xA5tUyM4f;4)zSzRA>XWu^M^yGq<<l=>bk)jDg;9uFDgrb|-Jl8iO?)V*{}n*H{aF@4n}I;%vr}#mS@IU+0H=YMgR+@)WG)7Pmji<5ef-UK~Ew%X&}L^W;QW-*tN)S$bCI@vgN@EF$L-c}MX7%Jn0B8gnDoFfmqO0>d-lo<bj))IG@iEzB%ynLO^QKPGb^&uzst)CQ~p7v_7CTPNn#`zRVtVCWHj3OJE_Y1NXw@eS`cxiIobJ(+`9123FAsacZOAio;*XQRFY-@tvnax(H7wGPv(j2B<rsqj!sSEyX$iZh`_G<XBX)rF-Vx$crDLYHCP{EGHK{-;wzqK4d^ni%tQ@EF3;69aLdMSY6;wnsP&(SR4e>q~7XwPn=XrkB5&N7_69uhciQ;~jMijhRn!qKl)z`F1DX<olo4zo?ZyvR7X4taDk1_?g-pa}YV777sx~!(FcfZ>DwgBl)dUJ2icu{|z3z5NlhwsscU}9xn7Xs{uNB^xzyi>ydTrqRp@Oo8$|Eiv-_EEs1NEdV^v0bx+8Tcj6<iYs=5%yCNP;-WS$(tY^r<^dyJhat#^(&hwyWA@m=^c8_Ru^eH{iN9Uq@jI05i8@b8gI@)y;doS|j3y)wgF$aY2szjrg*zrvZqh@}_25Qu6k3Tz)E$(SVvt)js)C~e(jB6ys=f<B9&zc@gzs=I7Upe0qPHNI)r{1dur#FdbLo3Jm(|18F>h`|3JR96iC$DhEFXa@Z_9Y&rk0AV!s0)@p_9Rwi+z(HX@#(0i&-hcFI$rQ+lj~vO(MjEhYpQSiR%%M(rh+%MJAEGNU7Pd{@me<V;wyZyXk(1KXFerwzHeM=tu1vTu?=%*@W<53O~+!M0wyBgQj>nxZ(L}B^IrR6(obsGtR}C^;vR%&jru@*zc(LOclrsVMtLNzFweBaic1~U!i^j5TCoN?XOD2Bl^&t+9$kF1%xCInsf(xJ+4(KFUV2nS=dVtGchotP`cI3dMZSX`5OPi7+cS?+31)+@yZY`KHE%I}?dD%$y|HpJFw?r0(CQXHG8sqB%WV0ip`XxuK^=`A(N!xWc2aMr&y#-CRZrkv8&_)jKfT)Ff2q`+7QcblEx+lLzFhJVS6#N`ecp^E^nZspe$w|ut@4cP%UgHj8zm;)bRPOsA}(-0w&;K3T0o8a0E16?T(b`zdxS@5>3Jyky%<Lnd&Sm;?61Y`ycZp~q)r>*{~GmR3D$bk!>0Z$-hcXN=6>FWZLBAWYiDsjoqW0FGK)zK4x&W+y84;Nbz#$eR*sT2&ppW+jD9Ee?@JA19P?Q(uor_p5v;$OeBlLCFKqQlPlosm8y*S$On8e+>OJ;8EMB^k6ReTkfARZRUS|DH{8W=V?5#(_`l9;AwNCnkS$77%)}m2PVhHk+ti|X_zUuK$V%MHa%ziJp;gP<LC%t6!@>@R@HGq~{nYoAkLx$lN*Z!pcb?K~i(M~J*shgHr;y)nnS=hX@)@85X@-L0(%H#b8^l){HPi`vvsXDbz@>q4_25ZOq71K~J-s<*<`EPO(>v|K<iAJ(`Bl=-Gb<I`J)TNi9k{@67k?2{>MdAM`_!S=c+c&kzf)~nqYt}sy|8f66oB%yQ*5lfpJ!Qesf#-@Enb<%$3-WE<&KXfhQ$HW>G4<0kAB5gO4sWu*D7cJCJ&GQ(z}nC(s<XF|9)-v~o%e}-Hqn3eNKG_y{U<qybG<b<0j>AxSE|(WmXC{m(~IWRBl>Z<Z<73Lcq^E9ZkVZ)vkuRBWv^ZE1|=AhSU_~%=+Aw!&o6o&p%K&1U^)TsC;Jsxg9NWNqBoew2;4<zA;KMp-|WJ{P&-|G;bgC-ad6b#IV&Ohw}cNh49~wYp3!C+M32Lp+UB}vSo62}2=waJWS>%Bv^Dk~TJI6-b@ro$C*n=sp)MXu(+injZ+hajwyLaI*%M?v4D?z=O-N5mJJw*I+492o-7gY-v7KC^`BmeyfS<{Ct?O3q-3xzS=kbNM3O*%zuPU`V>+dEPR3oua{IgMmfeWY3bYc<ney<+V^6N^?AUGbWN9~@OZWcW07ahxb9fQ-Y{4B=eHV@leJYnO0ve1Vo{lW$B3u}>>sqkb^KyV%X#gowDcbL>?s8i50NzIL36}=B{`YFOYH9lt}Jn!O<ZsDI6=LOy&e6^zQ5SOnU&pHFXEb}&+-`6|{<gkc4Y$i?k5H6llt65`?Nhe;2dS5i`z!R0YXT?^@>$YcEZ$(`z8o-*p)1m`E!qL{gCaVSkcg$Lc-e>A(D-QO3{*}(AK)x>eYzjGDj+OoF#LDb_HUA>}TB4qRb6v&E0m;ME-b0^z({C30x=Z_dTX+V|r;~aZeO2c5?@4?ebsYUV@bKMc%-F1gTOCHc8#AwnGfT9xx%YoBtndo2-Z}5ea^M*gVqQXL?ap2Y&Rj7*<NO_U_M!(;usHjt+iLp)$5>gvkjJ)q(&l@ud)ya)tMw!f^v;VfDrTIRccDw?Xw`VH4Y}~Tc=70ex%DPSzpM0F$DEkHX!{p0#m)C?I<fIpHU}^I2rj&c%_+Qn?&2b)_kg{t)~Ci;*cUy3y>X%SKItE%er)}NB|KHs`J%bT?5EC|DYv@cbo<52jr3`b>&?_^`lfqK_S~@cG%p492JZc}FX4rX8je2USGbOnxl>a)a}u5x^Wd?6Ic6Yr_KuL3;63I3*WNMV&Q@#zzGKXze~}(3&XfxOo8_0zJ-V>>H=WC72aRy5<6a~4TiFZ&*7oKtyYc4{LniypsNKYT#?JXnExJ(5Pb%r3EN~W=`8?4_2yKx)klYKa=I-QPgWH{qtBl{)E6m<3^Axi0HD)zUu19)uxh|^xH8rW38b?E3lYC6{X;${I+kFY%KxW}tUSn@^Xr29~Uq*CM@?Oj*!GWT_jJS#Tz<y;OH~VI+7dhtRbn>J0zUti4@>yY=&k>l5d%e=<Qk`0y@zmxKH$1-Xab5OuiI?Hc8eC_Y&3z_O<b}F>ZEO}~)P;SYk;s}rXDt{n4S!e6MWxquavm)GeKzBwEXS4mDx<%lFCIba3ng=E9>If^oPo~0#r!Gj7a*SQ_81lOIL2`~=Pg`y%1(SkKAydwE5AOn&->yl8~0Deb*#jn%ZE9a`5Pm%nM=GakMuHkat5pi$t47Ky=b>FFH87g&L-j<HOBJjSD*BsDsK!ONBg?_;@uR@gEQuc;cr?Id$n#oG0bDsmcn~n?rq`xK;|`iGfMn|^vNw9uEFQD%(s6^d(mS)61Xwt_D5!#m&^~rJvDEs%^+cqNQ-yYVr1mHDxYWc`Yf6n=^+q2r89g@gCFrI(G&c5E}-AS{J+Ml+ML7CHaqVj=eWh({zvMlO5YASJiXtK<LMg5sVx{{=_*fhF4x&J7AsnOvf{~SFBR+X8z06Q#VZHQrB8Z%Hj(8r!<gY=?$T!{XieLfz5<Eyp+{VN8>SaqU10TMaE>K4py?3fyi@3hmo-m+YV^BS;_$d<ot~oL(7@^NxgqR#iryf;?h$Ti#2Yw?vA%l2Dz#PXWnta^&9g{<H1nK!h76kpUqbI$-F=$pXHqBU8V>Hags*6y$@gtWn9ZgP?ua;1o_TQdAE?eDHCyyXN(?XYVew~s7Dm*smvdek-duWzF7=jaTGc+&&gPwzc$RDyKD~4?Z|1^}+dRFM8)Rlr_>4xLFTq?|&PB#^P+De*kIe8Pp04|I1=OQZ=?#n-A#ZYkHdlq*%C~i8{aD{>J?m$uK5laX*<%{d8|uqk7kTbg_}nJ7{xTmdw9CHW1e;@5rU{kriSUfH%wH(+;kEbg-R8hjgX6vnzmM!=@>_g<7Ck%WLnkL1v&Y+gUV)K--MR(Sx942uJ)29kj!|$y%$^o(%U;UpQKg@+FSGaCW2Dy97tJJmQQ~ik8mlk8Xs`IwyY!hKT#u|dbdH?yS8qNqhaO6sxxm<Ut0!ChMl0@L_^GJT#iL+8D)X7xoGFWkF+)k}i12Am9-n$&U*YhK1L*W=wAE-Oes1&hwrF3^-Sa?BC^#SHHsoyU1tOQsJ~W+)L`>AeCsq1@zj@UePr_&ZBsZ)+>-PG=^xoTZ)S^bPcs1$IF|5bBHR^ux>(RH(o<u$mDRlA9W3~Gkp3x_LLgu65+y=wRZTHW37xS=y8xG7N`m^;TT2F8EP*>_?k%v3iS@dpQuB&QDE#5BrC0qJFJ3Ws23@llzUpdE0zMlOo@f<SvK&e%jU(hgJc<1M$6APx-p7e1a4SO+T{)>E0_+rIBVY4Q}b9Ld3nXlRZt7~!c85Mlyg+52(5lyB<D|)}wZIkmQxzD5inB+fr?&P(?>pafsti1cmGcP*zvzTf1xL>O}ab|Gv)U;7!8McVr`pPqM=F7~H%U&<j7V6@=EAfxCKL?rhR?Osja!z(Uf01)PI{7v8>CmfS&(Y)h>hW`H(V9Yc?c}FS*JcfGGlg_s(j^A6&%7nCkmuIE$8p|1o}E@Q!=h#G(@o=@^nl%-#~IHP>hxMHZS;}(BGSJf_qQ)SEU$am=sjajG;W_5@#<x~t?!oJ6KEOn9Ike6Z#)B{g{OUzZ?IVv?7g}A>?f~laJ7Rx^UCbE@mV#I6Zm|V@p+EskFZ`Dd*<uydC#G%bmCXz{bGhgU!J>NmuJdOVi%hg88hf7XOHk2^4Ukc&pns9IhXU|n%5ar;s@%<xxL{hrVr+k=Yh9-lY$?USvvH4Q?rcuU7gQ%if3@iGjWY4jOTWA@(ea(iMcH12t3Y#+cQb*ndjkO>`UK5r}wtyUYNI@UK`^(jGMak^4N34ZaP58{p<1P!-Ni7^|klaJP~o;(AZ-B>9{A!<{Ozd7|$J>^i##0&ToFx&o%oGR4h?E', torch.complex64).reshape((19, 28, 8)), torch.tensor([True, True, True, False, True, True, True, True, True, True, True, True, True, False, True, True, True, True, True, True, True, True, True, False, True, True, True, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
