# torch_api, aot_eager.dynamic on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 1. expected 5, actual 4 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = torch.nn.functional.triplet_margin_loss(x0, x1, x2, margin=1e-06)
    v1 = torch.sum(v0)
    return parts(v1)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, 0))(x0, x1, x2)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-m!_QG&!E2t#$MwY~p^*NTCM%WoM7B*7`A)GvO&tF=Dko-xKV<6Tj{Z!@kh+80XN8MW>LmShQEimF(L^|i&<-Db5Y_G`=N>E}D)i(SNOWSC{w_xASLDm+$Urlc8G3(GkwbU{#pFvO%g3mD&k=t!DyjOUm_1pqV_C6Fy(V2TQu_kDYTy~&Nhm%#=pA?>R#J|BTJMphHs0lBF4QaBfmU~RIVbo3~rDL81%vAUGVklX^pCab#ITns>2VoNTETM&|>piJL1Fhq|I!NM2u9ZepmTjpSy5rQFrgDFZ5-iR?~I8_o%qiS7ItkAU0(>Pb+VL;WMfo<n8Nk>njU7I`$gzR4_iXi$8s^4>yn^$@#DGJ63z6-2%G2wB#Yw(E!1wF{Nu>(;tctF}eW1hYsTLSsz$#z}@&da`7f@-bdN-PlaZsjc|5Pi*e5YCBH4U9cq7{Ih$aaHcktoV^O8OJyt6E2DugqoHpO5t;pj<xP2WPhQN=;E#ZiC0d_OC48a@Q~UbOxL}inhDYJVchQ~j`_++&KqGIyR{hc^d@I)>Cw`q#R2(kq<Ged(Q2f(Kdi?;0M^90Kn+_4CYc$3Um+#C', torch.uint8).as_strided((13, 5, 33), (33, 429, 1)), tensor_from_text('c-l>ti*~~>2t(1A^XUv-;dJXxnmCw;5OUS(QK`CSeBskG(<RmZO;44$X+Lw_XWOZ5TDFZ1t7p2ez1H4g?_O$&twoSs-ADW1Z*hy&`dY7;b~j%3er;^#gdJ=h$o76u0`nzn9~WjF*xsH*K16T;XU+P$7+kbcnL|-s)mfyNq^-$r)>Ec};IM^^h6E@WY>8-8h$UAw_dw29p3T<IrP;S!{<eq2jA5sAdX=QQ&Seo@O@_u}FAf3z6NoFHZ1skUUuyET>4>wl12($}zWu;(K7i=l+}jCRn*0JJegn$@!a#rtLxL#ry{rHo_x6)!nU>+tfae5mq8^0~Wf34Cr{W*lrb$!6qA@Y=i{IDe3EHI&B>QL-Y(+7fi)j~1QsxD+RbU@Y8kWrR_68+WG2u_h9Iq3^MFhTJr9-%S$1FV-c0gfD+qH;UlJ|srbqQ4FF)zVWaHN?cyHA%K3(`3dFEThT$`yk!Kuia?&>csNa^uX5n7k83-hQQ0U_2~K4-x?mZi2;aS77ePk47bmuMAm-gn{yg08?F0^@u~spd6LS@E-{&c<KaC+1e*^=EIOgMcp#Y;h;z=<Dq#`uEf@*<W^2pW1bR4l@4d<(T98VB!y4<UlF2bsbn(I%c{Vy(L=9}0l<!`fy8kbK{imQY+`T5tMynmI`gLpx*V=X25#sPAGpE#9SQZLNcy9+it(6vui%^0c?3)a^ifA-olqxkXpWTWp~1iKePfX$1|?6SkSfPPh|x#mC*)B$8>gr{>Y{1&W_V85I%mT{RFxV1&Wiq&Bw~`>8r~^V2Ntb&f`v0Vu9(k`a9ummfrzhX`1+}Ayn`DG{-eQdn}7N?8Li2YiN4i`bOe;Wb~ra9C|zfOAB-Iq_Y-DRroXWKYMA~VoObsIQ16HD', torch.uint8).reshape((13, 5, 33)), tensor_from_text('c-keE3v%Q@2t)Zd-2cM!<VkJSCUzTykknmn9v#oa>T=9qc1+LB)q9pbZ@uE`Y%e<PUM#Qd?ltH6=K1Y&=ghl#)5-A{HF<p4{9AXowy0Xqw^o}RRh=Ds{isZdi_5j}c^0v8yJg*HUQQiwo_bT-*YB#!^R~dJL(#qI_iAQyh6gs`OKYS0RR+JmT@M~uJ^s34@~wQ{_q{Yo@S6eKB`wFgjDc&GUtUN0doUDXuOj0jr)=Y0#7ufuwe##I+S{K<+-xg@xPEkjqFQm|%*jtO8RUFqTLU{7#eycqFiexl3$Sl+4sIdl#uB0yOq4pH(&9Rp_zh(207!%}ju19I&7E-tYFV?_gXj_MbIHI@Kby(&Lz_u<;f)L&-dfw>tyj~aP{|9?&zDA{$Jqfg+iKdeM4S0=m@xu0oFv6J?m*3<aAz0I`Yp#O4u<l9D5_5+WzirQZ>^J$TSKEs<R`%t1fnV_#L?Xq>>xuniw-0Ci(Q%)10>!qQ$Dj~X@-_H3lzVct#XuSljuB<mLISIc)Wg1g)opmz?aIK07;(c7A>$jZJUYF;hLbao4OX=Vy83)%N2NtFrk5!M4F6Ut`?3PHb9814#B-TRtCFy%#QMcQph7Yuv9v2z2C=JeO_o;4PtqFXi#1R18PHfw8S!~427haecyP#!&?NMs~Qc>wu^ZZ!#sS9N(M`KQUd)+I@$vsXVWbiR-#YNu{M*8Xrrxa`iBG^4Y+Y?lmNIAGems2SRI_gIDnSD(M?Gr%E^Hc2E6Ah@IwdW@<~ZL1qF!&wcw@oDM7kKu_L=3kqlIJ`W3ZjvJjOVZvtLMA7vfZzzpv+i>Oaow-GxV4k8b+cxGUDq=OA$!lfbPk9r9M$BY;V(?SIO5@kUcc}OHM%`%|kiv<*nv0|EGY8H>69A@y7xr8TOGcbrzG7gg5oJSnT5|DzrB@Aece^3&gCP^s&g3)+J>MGAXCC5?(kd_z+u_6^5<to6Aa2-zTQA!e`4LxvBE$gsSgN@U22x)mARYNkV9l8Wcz}sd?0!*m?ml^#F0j2sJ-0A8dIq0R-MH)0I4agPXF8{7J#x=uM-xu?EiKh)^CSMT33I@inDaD0_!c_J{I&7(xxsXO6VAcc_AE31R!WUKuOr)8rfDa%?p`CIxQaV|Mfu7<+){qA=6cLCBxT{b;UNQ{5BsjR4!oT|vCXgZXoOH%@R;mGFw$LgM;RuHbpV)CN17`zKxr00?ma+h7s7RIlWW>3XFI<9SJID}wrmK$D-gICtZfi1x$#E9b|E~g$U<%YjOYO*%qnNWk-EnUqO7a!|uQ19;;xO4Tn$gY09W4M#6wYd1xjc1EK!8#lA98t{HqGUNiMU=+*C;@^-9i`9Kp39-Tn+)L!2bbf!6t4', torch.uint8).reshape((13, 5, 33)), ), {}),
    ((tensor_from_text('c-n1LNdm+m3^FdQ{{O>M%?9mw4H6{8Qc4l2&uOinGp^^{=ghU%Q-)$6BkFVR`UB7-8`XAMYgRr0Yw(;N_Y<PmMG3UW0a+UbK;1O%x=|#<>EbePZxaB~rwo3^B!*hwG^d4#-?w*wNM#Vx7+taj1I8egYazd44#H*uA|?DBBXn%1vKkyZ5Fdsyoa-(!Zu_wOr8Vj|I4R*$%a_C?i~&X&VVd7z)s~s^z`0QykOGroy2!99A`woK)#&pb3}#YB8p4pTs4xcrEy!f0%tqY;!xnyGFF>J6a`P6HT?V`&Ru4uFjspNA698ur$$4+X^BK1OV0FhpPgtBVD>Z;o@5Jz0tW?<e|Djo&dZV?v!AUY<;O1fMGcKJu$fO|1NG|{4EVC4-0KnS0Ocsfe%?=JA{q##_3!0W<F9=NG)#w90D6$%db){8DB>X=AXHoGN%s=p(>WuCAtKS-YaoC9hi2;H%>IY~h9y9', torch.uint8).as_strided((13, 4, 33), (33, 429, 1)), tensor_from_text('c-lpk0d~VM3_{Jxb#x{^O1HkHNo-4ikgE4I_Vd%*%k;AU^1c}JEN)nPvtN6oJ)pebzkQb{HaP2ha^LOR<WZAn&+GSYe0zGIlOP`_;$8{L@dO!iSwX`NaAhBd$gw91R=I9IUXHS3mqNnu8I}MRkOI$sxo`j;8vE!et>~h_m!`=<T)Bwl3Kqov7+GBkFo*#(hhA_QUBd8V*_;Wf20(gn@2gZnVa;8zv*jy8)ykPq%{(dh;gwW5z>!Iua(UHQjRz{yeAFTqubY0FARrPc_4E}eJdioGP~InphzJ`;-7^q6I9LXpTO@Ks_DSIYh-GRBgR>c(y;D)C3^uEJ$s)COb1qU7Pth8>?_7cpsxW0nk%=J;O%-18T(Mqpa~P?M9hebJRE>pZs6r1=QdI;}YC(hH)tHsrQ46U{0wF3>z_|R;d0%}W5~4ZPcEwViJxy}0`{s`5n)yU}zvyV}Y1hiN|MgrvnbM_5t?hLUHC7u$h?fBQRN3}ej-olO`EX83MRgVKGJSWx!Yf~&UJtOfV<|!E4knRrKoIDgRYk)DsbI8Sb<$<%LIqTLK#%V#A#`i|(TKEpz5cnqp)q%v&3rbbYJ-^mtm`ur8ryA%sdsb}0Hzup&C<H*{K^;(XLNA7z4BSFI$86Ze5KR*dJ~@_wn-SC;hvsSw;LpM`c0tf?2dUx2mbwLjw*}61Ry-t7&l&gv$!pqS>ylN?Dzd9v@m#<-siXG{Q>j$2(|', torch.uint8).reshape((13, 4, 33)), tensor_from_text('c-keE339|h2m@ib|Nr4_d8<-(Vvj-SAa)VkmvO!2<*~Dy<2_z&)i-TC>hST$-@L5Iu6WlI?R{rD|6V`iRNT&c5$^eNCb*t=ns;;#_wk8KUihi7UFgfR-1ge%oZvEVy2kGG=_Effqy8S;9v7<EzAOHsdu|yQP+wBD?sY$pFoCG*uz0>!V2RYVY-24fpI0m(A7_?P_7-?Poe4^-3b%?o7Xl#q+uF`ubB^*Yv`nRm2u`F&!=Rgure8R`cDi?WL{z_;oE|1Lzy)L4ZP5I(GHp-QpZ9wQSMBSOQ2nZ_wjivhTqx~5#E4?dr-!1|_ldb_D#rl627cEWcsJ0-hao#}s0)&PAVVNtmyKnf37V}VXvN?LzILxW>Qg%q!u%a=IV1#UyhTN-=fc_bHHttih3j=`5a<IIN?IGL!-zkg0LzmD11-?Tb)b=nKX1@<p?1S~$~ZD7RHjQY<ir5N3+WuiTd69@iq851Zt@OaZkl0KvxF#)$)oU!0~$sf|1ce<Mn#-!I0$C^uNZ2^p$lRa0C;|rJbv;XrlC~vn%?p}K2GXg;rKDEnhDnl7ui@Fo}MMh$`8FwU>e6j+CD@-Ch==5WfTMdCmzi&#6~2alN0|8y$nEW+{o1M(KytV9u<EoLT&061+XyjYm!SKC|T38H&n>k5Bu}|o+D~KtpO<b61?2;B2`jW4@z+doIHqku-b^0N0jiC1%Q+;be=_nf-B_4;UK?eSQ3UA=n7HxZ4THJ@pNKd+JKwY18JzsZ=?te$N&yn!1%+Oh2Bhwj({Y|11JV%L6C<Wae)8~#txX*1VFi#$5ac?ERij&i;>B@?xa?^Oc{qnP{(nAVODZVU5=?9$&_tHK@n|n4?&pZ`HU7D`O-Sz`QhFco2BDk@Rg1HriEzA33M~0iCN~xM6Jvb0H_lbBWn}~M;&p7Ah6&9Ehd7-(WZ&sLewKPNCO_1Dd~U#SYkLujA=dEDJibKg>A??JSv|u6+0Hap&45&er1<x#cI{HG8o^4BmGyEv}Hj#XgJ!#=<x1oJ&>%zvtf9O>A+q3SHJ{xbO7?LVw$Zb)3PIsn-(;C0h{6*h5{^x-eX*+F#m+U%{KP~-kBZ`', torch.uint8).reshape((13, 4, 33)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
