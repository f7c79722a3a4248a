# programs, export.collection on cpu: RAISED build raised UserError: Constraints violated (b, …)! - Not all values of b = L['args'][0].size()[0] in the specified range satisfy the generated guard L['args'][0].size()[0] != 2.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = x0[:, x0.shape[1] - 2:]
    v5 = torch.einsum('i,j->ij', x1, x2)
    v6 = F.interpolate(x3, scale_factor=1.5, mode='nearest', recompute_scale_factor=True)
    v7 = torch.any(v6, (2,), keepdim=False)
    v8 = v7[torch.randperm(v7.shape[0], device=v7.device)]
    return (v4, v5, v8)
reference = program
example = (torch.zeros(82, dtype=torch.complex64).as_strided([9, 9], [9, 1], 1), torch.zeros([4], dtype=torch.complex64), torch.zeros([11], dtype=torch.complex64), torch.zeros([4, 5, 5, 5], dtype=torch.float32))
b = torch.export.Dim('b', min=2)
c = torch.export.Dim('c')
a = torch.export.Dim('a')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: b, 1: b}
dynamic_shapes[example[1]] = {0: c}
dynamic_shapes[example[2]] = {0: a}
dynamic_shapes[example[3]] = {0: c, 1: c + 1, 2: c + 1, 3: c + 1}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-jrpi6hnN8USGX9%XMTBNSc2xSB!E_a14YB(jxjY$?<!NlHqgEZIgl#!^z2lE|qO6@K4)kRl^SQU=)@CM~LQA~E;*8=gkvF<50ME8tZuV+-^ZkmnVJ^Xopt%0qJGa`g=LODI5{+}%jD(jYNO1`5>8sn}2s>L`w4*HI5>A4lxJ(nW$_eh+Fc-)Nip7D(5Y$HSfp%y(Dq=+1a~a_IIfZLVvkmKrT!bXggj4NFkivI-2jA()?NO$P60u{svSsIdG5kq(!_>E{J7D0dc}g^i?2iLh(N256Qwk30#90WYo_=onG#*I&o}FsVWtuIGZ;$7rI;xT0FHC-_Eh!LiMESxv8`aow_Ea<PMJ&9O|y$?~mWRuYTGp2egr&kfKbfOT^&3WC%*D8aF3=H4bTzPk-c&#6q-5;)2li~o!AGcTg<X9eQVe}ivz7f5TZ3B5W$MDDDY5I9asqREsr%O`e_zDsn$p`N=m(bxmkRPW>QZSJsf%Qx~rLrp=j_FK{_<iN>8>3H&38z#hCu>+@TV9ez!<zKNv8O~PV#;>9;XHPKuz17(kDOzAHY6xt;BA6R~Ps`iB(2?2*+;i<BEHokc(xnKSE@a{+$D?Fj@CB5-7eqXY^>L4e6OR9)$!t%^#Ifu=8Wu2!PXg57>6;W9AbOj5rp!f0=Z|EcMUwT(sd#F(LxV<k`;d)>*{m?ddw8E$fgPAiF8Jy|Zk-=;?5a@3^aNA{eq@>DC1B}l%DfTYq+gjL>i*+?te%h)h;h?laz!Uurg9crc^7D8UL*9lX5yTuJXDW3p{`p5Iqjw@`1EoqjQc60+`ez19ioTvLV(5J-M~KApYB~51!@P@gF?waWGBa!o;|x7{9M98(y0d%M)=g>)~|3nm=9HAm#8b}6>;s(f+e3s*v_9AoDi!+hhPf~TN(#JO0iU{Dj3;@E6~w+7q#~h7r2hguxsa!ldi5xRw;85iX@EDsK``sJU<IZ1{atd_m423n}~hd3NSpGkK8Bv0G&H9!ZHsIcJ-6uWtX6*jEyb51@wf%B9%F2jR%sR)9^?3U^}NSkTS@kUio66Y9kI2UEio*+HygljXzOI55PX#G;HbC!5=DQV8iDEW^cS6sxk(&XW$|7tUoX(ABI9ugqh&o(<AW1g&KI!>`4Bjc%R}LYb*}F!wjFh2^urCn6ryVCwgb-HSa{^UFswgzHC&|3qiZ<Bj7S_k9guW3HZ=UM;7!1&%*XW#@7-$8CQ&15i*dpw2*o6$1OTkSPEk!Hc%`G!xvgF2sh(T<o!L2(dp$-_w{|fT>_u@w3mUnoC9X6O9&!-#vx2J4`)3z;YMgAv9yzfP3k3dXX+KA-5v}^e+#jUUr*-c>saUJzQZ$ujd-qYiVh48K$t=c^)}3*Mz?N2hcE~p_KeV7@#$byy^UJ(Z-JC*6_IK!rd4z6SZghm$m?P*Mu}(=rJquX*;@f#4I8XC7)xdqYI8v3|KSy55;2ZC;eX9@8KH+ZX>ZtrAu$iIx=2FsDsVlnJnfCI{bTWuD-I~BmPLN83<qxW7g8e(0d4DJs4iy(I}(=Eo5&G(*QA7!hx5_aFAXYn?eS>GGuj|~fJ9f^qK^Y51ZPG>1+C%(D5jo4`HR*>e#LW?owa2T%O;WWtJhG(emNR-Hj};jx2gD_{Sb4+5zUi3F*I@w`=G&f`f}GaHJgqE>4FT{SsnrPmK@eZcm+BsD1fs_JG%Ylgxwk*B&kTAz4=oB8Y}vPfrSV}YyCo+hH7xqAq4_XkJ9Sm8&tedoGmQ8L}xN|u{TExq^`Q-`%eYnUA`M0x5<G(Q<7}2tfrQpE^v0S7*0R+tiNV;9^*`>>6s-w*e4QAyr)FbBUwN#`)-mQx@9yL&y#<)x#D<~DE_!c3&3O(Uhea!H$paJWAZnuXde$VPA9=e{}@!)mV!f1EIQdvqeYD}zHD}&r@l1e18FmOByR#C8&c?eAs>BAvuRw^8R#2-kJ&+%cs|7iO}BS2wq!Yzs^Ww5_Y0}@kx6hr@{wMCVFHU4)mZB{O{X3lN0HKDXqnf?7c+M7)7>5@Jl_d=lke%a)u&*s{YFUZF``Mz8yJb-d1xEiOb!<81*L77&^NmhV;ZbsR5KQ@P4iHS-3#wL#polC3M+$sWvo*=HrSS3ijAXlq(S8{go@8#(@-eXanz^*x08wdEt#y!)eyX`O2y7WDX1>F4n^rf5KZ*imwWYa#fTTuqrSMsHvwPoHv{t&X==yPh9^7tq<um~(7&M^O^G|%{xhG}e)yS=>BrHbrrpr~dOtjiK7g}Zv&iwVdrX1Tawa7(jkb5ElD!J$sAQuKj~9k;?UxK<<7k5ot!F?#U=Mih+6tk=t616Qzv25jKZyUFPby4($T>Gz!Bj{Lk!<tDOZqwZCL|CJTF4TvY!Ep2TTpG!!?2iqhxAn{<8$Q<jEO8JwMql<qb8RX>2nO7{616p@KL<U`9PgLx|!ngXIMU(OX@9?5z7vPu+j_v1?NQpQU', torch.complex64).reshape((16, 16)), torch.tensor([(2-3j), (2-3j)], dtype=torch.complex64), torch.tensor([(-1-2j), (-2+1j), (-3+1j), (-1+1j), (2-2j), -1j, (-2-1j), (-3+1j), (2+1j), (3+2j), (-1-2j), (-3+1j), (2+1j), (3+2j), -2j, -2j, (-3-2j)], dtype=torch.complex64), torch.full((54,), 0.0, dtype=torch.float32).reshape((2, 3, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
