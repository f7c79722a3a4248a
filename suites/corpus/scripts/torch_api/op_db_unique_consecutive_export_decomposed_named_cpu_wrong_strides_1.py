# torch_api, export_decomposed.named on cpu: WRONG_STRIDES [0] other strides than eager's, and it keeps the memory format of an argument (got [28, 392, 1], expected [560, 28, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.unique_consecutive(x0, dim=-2)
    v1 = v0.contiguous()
    return parts(v1)
reference = program
example = (torch.zeros([8, 9, 5], dtype=torch.uint64),)
a = torch.export.Dim('a', min=1)
b = torch.export.Dim('b')
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({0: a, 1: b, 2: c},),)

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
    ((tensor_from_text('c-ocS%W|bUvjkvq5kl|(x`58$Zx2pIe35JS#9_A=2BErTW|j8#zkm0?uh075zklDh^WWF)-`BnU|9|hl-yi?J|Ned7%kTB_`M<BDe1DYt(cinvef|C2qg?0j=U4gsD$iLzU+=qq|972P)@_#i{`>jg@7MJ`%JsIg?svJrzxA3}m#;iueII|ncb4na_gwGq@9(a%o`2Wh%lg#o%<?>Ux&DFYJ<InE*FDPpedT@B>(tNH{n5((wDNl!uD4^~tg^rM^7*g4|F^7j{rpv~^OpC}%6qHVtMB_P>+zJ|zhIXap1Z!k2ln}t`(9<guJZq1v7@8xgO2OhuQz^w;{DY19A*9L*BjsKJ)Pxwt9^d(9~buhiRZ8WT7Kxj{;uzTmFv~(RD0UscW&J8hV{P6&nNt3@&^rZ=EHlae&G!MYY*||EYEYnUv~Jr5ApXxd>*j-RqSHHUT>^h^^1DW8c%N6ef5iVT^9CL-H*NOtB&|w*Sq?G4g0#r^#T7n5btE)8}glGHy!@F+H2j<_5L5k3&q=p_<12O-0|K{<V_v<!-IUY+WUq4b|Aj3^7nVxW4-VCIoZX8zpehNu0#EKeZF44o_MZ-zyIKVYThire&hXBJE`}3Bd@OORqdnZ<rm^{^+P-S!-SpI^}mrHbnLeQe|!bIJdl4X??2#YYkb?V{uA{`$9t6>)%UdHeybgA<@43P4&>Dn{_+lW<$-vseCtE~R^!Eq`l8xphkvYjY1*$1b@dhUtD1km`2P#}YsbEqy$tNTx{fu^6Am#^M_kxPioXrl|6s2t;+XvMg#BuLp0a))>OtWv_2&cY|NO_gvm<WH-jy%Z^_Tq)?6V#9;XuBe;?zXE*s))QKfHKf8|?E#zOcidF8HAj&r$In`Qz%(tDoQS{!?8md}0rIp7LAOS3B~D3x0HAz3aM8?Dq*ftN*`Hk6ySx?e7Qm{e^ujeCx#Dsr%r>dp_|#C-UI|e>)M+>vO)i-iti&M%`7{?S{YEvHvdQWwnkTsCz2@xKP(rJCr|H9#QkC3w2}icLV=F5LascIIw>8y=~Y}8{WsSxX%Z?Rru6}=e!YTgl~wS*x~Q%d+%7sj(Y6)5sz#ko*r1|4f|yTynaKT{sla409Rg!t1tYi@Fdk=!e1WP?}R_w15fav{t-@=aK3>$Q@qa$oNr*CY$2cCLw;W4ot|I3iRzaPen9+O^#>>N?SXuC$NRm(D|XmnhrK`G6MNX_2loBI{&|rvPvjc|dHV-Hej#5_{&WRDa^roqkXJ9%wF~@_>d*^u><D?5coX4FAJ$j<U?M*_u<kXFYQawGI<2rD?;q>F_9KoV{^UcQd57zsz&FIVjliScz;zzvtsnTuhB$KJ@4mo)PvCtQ_T>k@qW#G04y@M#e((V=Rvv$%E_zWP)O~T|`ZMrF)i0=CzTsDUz?nbbQ4{rb5BbT7JiqdJN2qtCC%BOJwNOX&z{^kIhCTeg_^5&RsrunY-B|thueh0T{0_e}!}?z#ejo5_@^>xd0Uhu41s)<@M&dKKz>|qje~?ECk4^lNc#<dREH>l=BjB9kdvDl}aPR9!K79{$bwl1WU~eDd-U$5vf&8o5>5b3#z@yB7lYHPWJMxDEb;?5BSNGSzbzju28=gaT`GNHoF1LX1@1gFH-XYanTkv1PeXHLRpRfVXN%`&!c=LmJx#9h;z?*d3mw12a^d8hJ1MgGy?7)2_e&+&?BcA?29#r4c!hV_oH+rE@mX2wLdP4hLyzT=2u6$_1zbQV+P8RaqBk;BZai#h-;pQ9sqx2!qkGSMSzH|iMqx$cG{URODhI~Q!`-%E;hd)+)lCEk6UH2DoqC4bE(x-j!S69ft7w)I7<G^)B;DLmr$e)OhtN#B44<UWY0xz(^PL9BXNiQ)&y(@paqmKEo-yh`X^?G~2hpu4%2Y4yfSr69vS6-*qv(;a2h$9bp+B?{X_<r#t3-_}HJYa+WsJv5y9d04+HC#_Pmg156h7zB6!jDP^BphH1eC!wWO473kZ*A}+!mCxkZP?#?s28q)Yl#2df5c}LM{E4pg6?7q`?%q~OSdC^cExjU)TIl&-;Vm?051B%Z+zfgX22^R=>9I?PO2ZI^SY6r2+#Z#$G^aj_8;pr*>l||%F~ozNdGS!=?%J~56?SMH}0s1d*Huz*x5v!SD)98y5)ww4B+kq`JnJO>3f8mK7q&R$ODd$&+S<65Bt0Y|5W|hgFIqjAD@Vi_4@_gk9bPGC-v`aKgLVxP*nfF=u?nxKz`zcz02Rc=({)qK7R$jFo6d&)PYCH(`N8rM~GL_-+j<KUm;KKxXwTx`JnG(pg!Jz<e?NVPvj*7IFIn39rh<2PkcoS_@VStTkuQ5S$6CL)k&(CpU?+b>*@>dPkQqg{{L5fn)Grnbao4UfDL@<8~FVPIFWGE6YD1Z=NI~3)gMv)=LbK#;W~;N;(=t(>Z`jDKSs!N5`X!?o)lju@`HtaU9T@az3P}R=<g@&M|%7ReTC|)6TYPW#2x<k4Z5g=y9+0jPFp<D4qQySvjzU~#(Q4iaaF&MfTtbEyBqxHfW0JrW<y?o1b(Pt|MignNgpCU{X@MY-l^{Q6YKH<uWP7RPTY@l^$&2~4S9p?V-Gw}^0yz>L-S}Z<U95ERHuqpY^ax|yHC0#>25~IU+?gq8vNsq>xpmH=d|xO@PxvtgiDR^RrQ(t!V2}W`shdCa~p89Ej(Wj`&YUF%@as*afja%P9Xg93;MeWT%_J_;!8T}^5j<!)WskC*p57O3;etIuQTACsuvIBN9wm(zy+lHxPRo`pU}6f_$A!8q25USfr`88$J2ZW#kYoirFka@o>OzqQr|>Fo**5g@E^_T(S503>q0&#-tC3XUh_9P@W&hRLp);x4|T&XR0s6HAFDn+5U0|9{elkV3H6Bjh^1%v0&k*u64JjU{^EjNZ>X!Ki<FLS{-^`c91i)n9`Jw`a6iqd8UbHhfnQzFFX_3|*P;IU5%dpdSg#)R8Vh*%g}UbezVw9tFkNQ`eCY-*{Q+m_p`H?cyuv&p=}phT(;eVpKg>H6?)#yh+7UN8{F8LjC*pg@`*?v@D*xyKH~hk!h9}H3cz*OFswdMtIn5E8*w=gDJ%uN!A2H?C(xG?YRVVJR2Yy%kM0k|$S9xE9Jt&VA-lREo4S9rc7WLyO{<NTHP`xF6{2k(^a1Y_-8}{cyTuJ=A<^rC`52Z^^xXgvPBYn&f^6C$|+Y9k||M9xN>XgN|CB2L0`)mQX(flOob*0ZzoZf!)Ulr$0@uk5I5-y{8YQnQ_;4!NA2I}Gs>#lnEg#9n{(`x?Zjr}4VU%2i--ge=-;*rD~DNk(JpX%Egs0&Bn4bFhus!mnEkMh}st54uF(oG5{l#VXVTN&7g>Vw!2PgRdgXZ)hy><BoO`dT;mv()FV>q}RqJ}B`&d*Ij7JZ0ek!V@%)RDb6M?jxN33Oty2$dq@ac`+-@fz$mzAs<`;-?@XGivQe0zAXKU`bHb@dhz&2!2hZ}%dS)hN#CqKqEwfDq3={W#MD0_9l?aZRbS8%cy8%j#On$FS3FVwnskzy2iF5XDSxl}{X+im1^uw_l!d-8=_!;SsUKSP&5pQT?Q_6y*S~+l|E(||VTJi(d*Fe^AML<VH2<|BPQPJJ)Q<c^bDB2z9j#01M?c`#bzX<g=}}+v4*dTCJ|P|d4DmSORLWy|z_En;HRwS!N8$p1e!(9JUtY);ghw{u3(_ODz#|Ed)BGgWKgu6^sAtr#+Ym>U9}72Ffk#OCBk^2!cu&&noj=-v=EO=jss3Q`MbcBKA60$83%u$9o-LiTlKO>b;8WAwl^OEw9`cGkyl3&FJMf1ud|vpN`dyN~tL}Hrxmdsj)$gJEIN-;{$H_0Q(0{pt-_pFU1^wO(al8lIMSfAbv?tuhf5i#aH}hd#2lDR@UT1`SUUu__IW#G6Zuq%)Ma`+(5wB0g72#QDs9S`Ws7}?qR-N;qKJw&ug!_!Zb9CfCdVZbrbO#<sb(Z*K&G%Pdw|Kw@dG-c8H0knA_>YF`?!hkJFt1E}^d9Q?C*TFjkA=%Ak5n9bgAPFTxNvvPMSp|NNd45BzovPgXULbde>9KjgI(yngB9#ex`T;2x&4TP3Ku>C?j^i4ovYLW@057fE7+rW_ziZt5YLYv@#-`$@e2Ho^rIcm@xs0q;-2bV%^67Vr=hMA@1{Q69`M;3AJyL_e)0p)cw(QokdNs6i96seH}-?h*LVYNeByZ<)<?SO3BP&aJum3W(tNEe#68U=*r6wAz`YLCIqJ_(xNp*}2!ByOe8axnupbqNZmffFwT1m4y}RnqC)A7LWzzXF=^Ry^8`eVoqIyEShUU&{u676hC!T2!?@RkeeBKvygVIk6A58i}^`WG>SL4UHsr)qc6>lLvq;uyweoy(r7WP@{3s+yZ&Q+5imd+#119&jM@d2-_xjC9oq&ZmX`%_<XgB=McQ68^3MLMrYyy6#lIQ6A2*zpYYzRqzH|05j#`q96BKhDqi(8s%l_<Dx_e}H!l*yA2}_8aTlk%t`t|LcgaY0j~570u1p+(h*^HPn%5uGkBItiBW3RRdp<<_RheOBb#=&@b?A*<(i@AzW2>b<!WDz8&GlE#T!7@uG$L;@9~S>Q|GFA>|1Tb>R!V;tBY)=9Bb*&(FXk+*tPuc5?<kPS=wzMe~h5+^6z+^|2)T_`>{?Gw@6kc6Fi-)cM#S>MP|(7xI9P^-FWd)Terex<_-wKIA8=KQ$*o?_Ym!1V3;hK5PMx`k+(Md@;T6J;Z6%F(>k2^`FVU6TYcAy-&~;iAU<#r|BHH3x2Kvmu%n%j-WS5bJOp@Gf20ken9bNI{&F*UpCaQ193~|^$x6a4|PSuI%%Hqf#=x4p9t@h-Y(6NmM&Q57w&<tenMWA&J)r3O9%G(0FRXB;;If)pTqc3w=zO~`vhDi;iON%MP9^X^&gx8r)s#rE!4Z|9FZ;fmmTp$e5Q2g+K=MrHtgGm^*9l)q~AS%#4V*Kn}G+E{!Qnb{K|`HZoq}SS9-|@`Rxfi6V5FBM*XUa|6kBoPvq0m-HVqS0e_cXTR24z`h@u-50Y?a^+9$#*B5lRAMlJX^p_oh_qnlN9e!DQkPY{_;kufyEnV!3IIlcMxbllRJU8r8eaJOWlHW@DA>ppVf0U=UV87B4O7AKjQRfUU@Nt^EafNzF^CWam#TN3Q)E}ZcbNuLM<p+f)i;vcP?JMw?nkTO~I)2QL#7nB~*0~nSUmxI|niD6ySNe|?^w}Hsx#kdSo~!t`JK*8!L)3Y*s?U^nHoPbGtxFfUfOBe2pyq+-oY6bnw{+!i=({_?>x>Xb<j2()r@3ZV;5*fCdmvwtu0(i~_$KLW&ye4$ZrI`1Uf{|%{Q8CaNcp62!xQ+-40zTIys6Gr(s>DI&_xKRNpoUWn2&UXzpwtJ8+oAe`#azu>XTCawg0I1I0Bxg`b+bQRi{bktn&t?Gf#8DTgbcAf3Ln5<v+qxbiRY?i5d76;b@xAbRsX&eEI>q5RZHzpOQ}gLBEOmIxqMw<?kEfq3|v7@|uevos7<zTX;U{N(b<zC+IhBtiSq6HK$bbSyWd~?8^uJQ}RQqOVfFD+K)%TJL~?wz^@BO+=87YJxSu#rGrf8Q#^=&sxQ;Iy_(y01pCvu(9#uX?%9jFT>RV!cwNIfN+0@#_kRT5pdp`;9jl*Q{$KN8w}4~cz_rxBpZZj_uXH}n8*~~2epUTFvfnM}F*J{BL5F`}-)y0NIYOQ<y|L=;2YA^L^6Yf(>kYrE^Qh%VuMh_s>JqK5{EzSv&1;?bn)1Ot@Hjd*pdp@XPLS4B?`2^w&5Qp0g*YhxsX23J;ID7sRSofM1b-$T?Ff8JgMBU7&l&hGoim_%;|=(k&Z!X2toffk;2=qFmF5*lC-Me8zjT|*!v^A!_)YndJ>=uc>!qV?Kk7#&;`ko;=EQ4h9aZ0Mh&Sph8^Aw0c!~i(DqYzLKdX5QE%-<E+o}GSp78;0w*_5?^lRchzMw}?o+Erw{fcS6$;5N5&`&QuehYYkaMCa2kuC7=@|T*|^nyp$+$5dTuKw>g=o@st`v;sc%@0xkk@z3=CkgM9UiS_>+7<S-c(D`ze}r|@IyTsa=C0Iyr-eH23jE+1^40Cf_bDD?pze^}zd!aHDlcgvPG}BELmhemcSz^lt1nygIku3$Ywo$`6^OTOh=<x&I&bK}dZj+18S?Er@IC4?-2%?s@b|<AHGF=duGCzSJK%-FD-};J#I-H(LL=~%%J&l=(0|0urNcR~zlGOqKk5QfzL?fob)M#ar@6yveuw5!sn4UspHJlZ>VuR1HR;vGvuPfW?4>?W3%sFlr5X5G&B0Zl(;0YQo$DbzMVfz{{MG&=9;E&z>De?7=m|Qa9{5ki<pw{L`XR*23r9)wTN*x}<{~}N;avYQ-;{1uc(eLE75^2VzcA<SMt+;-AoQ^R)L-|8e%BuInuR+54R~`p?@{Mi3y<8fe)6yCQ<r{5{axzE(0nuL1Jwtf&OsJ$thsBy&Lz78zOXRoLp-$V2lXweKTrNye9jSg$~)Z84jxxJ@`d+)A>MZEd(Fd0^TSmCjDUN5m@78%ylJkf`c8EYvd%MX@aucXGv)vHP)|QU&O2Io-#ze3irboZpY(3JUiw_xmv7*;()r07;*8D>P@jIo@2T%J?SmHb3eAzzxgnaXb_QLF@cH>8t}z1-fBeTfNd1&LPep!i2A*5Ii0Z(k(@y7!?17IL&nz5Nd9!p}DermleA4UQA^wTSI|5Iv^Mo~LMR|I)>w&uMKs@=iU-$_5j`W~uzPkGU2lAw(m)P<5#Z$E4f27k$d1gAdRQTVH`bd3ZCvaf(<7ys&_@r9b+#%mn|AF%Bj{9ujx25wC&m{eT&QaaNzO8lQgZDiH-Yy(MykA2c7M`YaZ=~b81Fx0z5viYD^C;dQ`GkRep*hJtyvHl#IXVYPdb^1@GmvL2;6<9RbB6kRN4%9@TYaR$n`WqURqx!uFIvF6o}j1Se)Kb%gPHWjsb6ILi1(=f;RyWj9_(H7wxo+rx<}2!(p(MIPs(q%fLBcHE7dJ`h~MguP@l4Rz@!t<To28wOm->UE#;>=CwYW;BR?!WROh^<d56jmH3y-=kBTRr;O*3(BLC9EI_VrP^)abVNauz<p)XN7w(93@__qtsqxxL)kEExOzG=hfr9%}D*F(G)PLbxmw2((79&e)l+>qbMuI0~l&X)LI%_A7VH#LX#K>ncq?}XPZ=>0nKR-K0|JnsyA-4W`HbdKj2<{n;wht^zDol7Xb?!vy4j&6niMe&Lo>{#olbGp^vFvEJMewPXVnCf!9NAWP?^Y)<II0B!cd`5Vh^yMq)tflXg9%TE`FQoZRntLl8Y+`+-gBZxC8s39+hQFTgkj^DLP!Gx88{VV(S9Lzz6Xv~WZr&5-GVRF!tA9xOq~<88zw3luXg;9MmAml%R?yiby`AuHtyhO17SF5mfF9slGvu=kd4u@SG!JeD-d4}AxIS>5Gw^Xe_^S_dZPcG7oKAhssc%1>UpoSCE8c1g^;F77TiB1fpQIy_?%{y$Me$tr+k-u+ZW8X%0<R(5^h8|LeyQ<ZdcOspN%NB@@KX6T&3Rgg@9H=IHBU<YtyfsrH_V+8ucQ8%7I3U|4ztc#TF@D&FH!vuzv^8Z)>HiFhUZruE`DnO2UDHef2>auPpdpHo#)el`)Lm98E~iz{z855(xZQYKT30+8{(*VI^{jek2Ft5x|0ufqP$mg!;i4P#8)aGnZR8&_d|0q#gDE~KXqJR{kR?WDti(y-2y)$+*a}F3^<GG*ek>n&BtG1evRfXijNd-wP4?G$ZLeJ>l~N?yhwTS3;a0EkJNjW9$x1cDql$WnE0RZqkkFLXUZ!tT&KgY9btd!+~yhL=!?E?)tL)ATH#$f?_>KB_e*h0Jl6sLoBAJT(2qzLu_F&leq4P<2^ZH~fiyQ#^EH00SEXlap*|9CroL^>ZPB@M>c7-EZWH;x`g&Clrg}8#Pg5UrI(O^}yq0u_(iJT1lN0&S47fx(C+~*+NawTz=i7rWMEqTvH$6k1`oMptbFfvvG~`L*jg$wf|FYqINN4%}==YTmb=1@1ztY^d2RQSE_<V(YGtHq?JP<yT&Qtt*&i?~(<&ic', torch.uint64).reshape((14, 20, 28)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
