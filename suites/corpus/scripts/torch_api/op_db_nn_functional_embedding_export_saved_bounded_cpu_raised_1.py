# torch_api, export_saved.bounded on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.nn.functional.embedding(x1, v0)
    return parts(v1)

def program(x0, x1, x2):
    return torch.vmap(inner, in_dims=(0, 0, None))(x0, x1, x2)
reference = program
example = (torch.zeros(1683, dtype=torch.float32).as_strided([17, 11, 9], [1, 17, 187], 0), torch.zeros([17, 5, 2], dtype=torch.int64), torch.zeros([11], dtype=torch.bool))
batch = torch.export.Dim('batch', min=3, max=18)
a = torch.export.Dim('a', min=3, max=16)
b = torch.export.Dim('b', min=3, max=16)
c = torch.export.Dim('c', min=3, max=16)
d = torch.export.Dim('d', max=16)
dynamic_shapes = (({0: batch, 1: a + 3, 2: b}, {0: batch, 1: c, 2: d}, {0: a + 3}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 18 and 3 <= (args[0].size(1) - 3) // 1 <= 16 and (3 <= args[0].size(2) <= 16) and (3 <= args[1].size(1) <= 16) and (0 <= args[1].size(2) <= 16):
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(2048, generator=G).to(torch.float32).as_strided((32, 16, 4), (1, 32, 512)), tensor_from_text('c-ocS!II>v4g^rZ25ij#fA3qoo(&NvvhHjgRj$Suq*N*qOfCQa*Z!{c@B02-zvKRW-2eCe^><x=*XQ{DUpxKpI*#_9<9<0l@8fy@zMts-KH9Ix->sv6<G6mu=ZWv{<Ni9HKabBZt^-$%<8!>%gZX)n@oY!?>uBeEpX+G<9Pf2p&-q+<{{g#d=<nH&_xQdZzd!psU=QDMJ;&?p_k@28j7x$2?&I%H`#kOZeE)si@34o4?+ffp_P3Agi3{H`zUR2g4?6sHp}qUK7W97um%ihEg&oSjD{$h2-F-(t<o6Rec>ieEAN=RU-P2xs80QD~E9Q3|&#%Y(7x=-A_jzD<4{+?oxLtUU4*!2cJm{F;4{`AHL&b?V`0<P9pMF%(uLc}Fap4Yj(SrSV{7&PmesuWZX?Gp?d*bJWpF9}97xPzs#EBl_>J0I+0C!&4OTqUQ{e6LpZ@`g_`0;>8p7W&mdGZOx?FAgVVfQ!M8NjKEIP?67KMnIJ9#leqI>zNi|ITp|588n@FW|xz?CJy05l`*FyBoi+;5{$qS$^?`xb@=w6|Xz&a{~_w;`#({T$tC2aazbvly}X*FD}?e1rPo(ejELr@T(s9Ko30n#H$ba(1X8g0rxJ9w{Ttj_`!Yg1mW3+U3K8q0zbHc`wM(Xc6{Uh9sH|@yg+&W1ilQ!{}Fic#5ir(T?c+Xf&X?~zre%KxUvJ@UikeC`hxP{jqxmq7xL4J=PtzGj`uppJ=u-$^a1WFAD)QsPtd<g;9WQDu|PLl;OiT4{0%&B!vB>Ywt(9Y?4*D<OyrRd;@^XI8}z>k-t-0?PWjD;_p3pF>Ci6*@a^o!#CSE}?h1I_0>7w;2LtU(uWO+nGvwVP<d+-cUIMN@Auke6NN=4OC+R~MJ{OFO^g8J;AN;-m&l~vcfZq<_lKf`=xPH(Azh4;l1^>T;PPp-&4fgj1-DJTZUd%(s_-yD-X`H0j$)Bzt^Sg=n9>Je0@Fe9cH|9n9>jOV%f%iA?vJu)9&%Q!_xPpGrgU+$xUpLw*z{eN&D{%Y^_|_3mG~UV!8}iQw_S}QNRrrf|%mw=#0e9pN5B%;9ymEn$rS(kd?ia2dy3_+d(E6U9ulIbyI>HD#z(BhV_;3Y(|M2~d@k+n%i1P(@@P>TuM*pvncS-NRfD_USC*o8Iy3h!Gd?1b~{-1ujLtapS)LAC%>V};!^z$5#3+;+055(_+d~|}BTp`{n{@r2zD(0brrxf_#7v8IZzbQXm;dc#rK?Toh$ctah*Z2|dOVB0nkjF{?Ip0J2$_1XL^{pNHzcKDT=xY=0$)DaI@wUM)CisE!?1u4B-hP2U7K}>`{k(ur8*wPb?-%wl!~9h|{|daNpkFKSy&L?oAf9i0e`8+Xpl?a1lD(DCZVft**6}KE=z;&KZexTvsCZhCk6!Tm9dw$4dA-2*#M{4MC#jC>hJ7lZ`+(D`_v^s1jlW;;n-SvS{!zEP{v%&fo+y60F+MBkDI0li0l(@Pw^aAh0!}sfV?liHz(ds)+(ExnUBe9Xqjh=JJ3c{wyWj^S;H1{CzmUgWz|Vot;>qGusZJ*8qV+%Wbm5%z>w<A>;K>s>{stYl;XR+wj}5-m5C>oAcop&e4SeSbaiBuKQ5@E~-WT+%2Y%H;elrob(m1I;r{M42A9<_n<q7)P1`gaozfryH0{#r(%M)<>hTVR!H?0p8%*PY>ehau(fS+&BS?(~8S|3+k_5u%3-C|nzyWk(<tI7jEv{Qp0C_gX2k2mBqJ**cDwAX`<CmfK!4d8+5fJ)FQdf;oSGiyONQe9SB-%!28h51naKjH5Mc=!c=qdMaf@LTIp6Yux@=;s}HTf%#Yzpo$pVygcxn4b~!&a{8*4tnzo9y@`fs`DtY_YON#zN9?;1OI5ipBi|UbSddj9rihbUUb^I>I`~_OWM!ygnU1(GYsH~ctywa2XIDp&nxg};hNUf<<F`!d*R0~bdG}Oe1Ruvf6)iL+TcOzm*PT)J)}CRjrrC7uMu>ljl5fRf%`{Yrv#l+b*(Gp`!(d<1?>&ISBJeP-A8%!3V!|sU7{mCpZKUe;{y(9A5jmy??Ifqz)KqJszIOH81E7Ir*zmA^2!RHvH~B~`cgwavP1qU9=>581#wmRgX&B_#Q%kPm*1;S^$L8kg>g#tidxsbVc#R@_|ho{`XQe2z|Nk)Q&h*;G5;6vy9ayM{yXi9zY&MDJ|x{-`dkh9ZUgR(@I196e61mVs(z>ek5oUo0w0{<S$D`sN|*=nZ{<tUtCb&pXn%okr*)@+=jxn<7yZ>f*$?rg1f0FX{Jg+>)jyy1ulc;;_gbgBLL60oyo27ifjb}YMS7O%iyG#;2Av?)g|!e*WLNV?9$LWnXV6Oqa8>(V#kWS#ZKando=^~PwNFld{vhv@uGT}ITfsZ-pf9F#QudE}cEj^jzbt=TflsU6^4Imu7V_W@e;y%@l%P*f<Y6W7;`*bWa0UINV7$}$85i`H8uF<QyQ-M46?9tZ{93P5oT+F}x=V#Wq&jt-Ya$&a?W0NS0a~xnIZFe0s`c?J<W<UFRQI9trBrvJ_3kV1ed)u}6Sa;%k*Civel6f(54yJO{SEx~`%y=#LC39l-xu#KJwxja3HM&aY3*NK;GJ3z(Kr?G=@)*dI$G5U&cIJsXjgUP8{?eTQKbh~tQ%bT{T=jY?ce^jKI94Upa3tm{xQMZdf*MxQPMegFWPPJ%N62;>iqhT`uPQ1DbU4c&|`Yg5jXtx#ym9m;R^5F;6FO2OLdVY=&Lj6QR0W%@B3gpuHg5Hm+3q!@dcg#)`Om{{Y?Y>sKLI)A9Vgq3A(5B_B-IB>e-b4UjbiquG1azdY$W}^W-#-@|O!bM1x<dZhYdpfI}tlU+F=rGwvZirTwVVmF^$&L-BI)=@<4kfe&BMDOHD7fM?nlQGknD_mz%S;E!+c_XeEULAO@EFWuq`_MGYrwg0~dz93#vfHM{PdPRJhKkCssCq(<+M$q%$pjSSDmw$n0Xq|S3xcY|t`VM*O7kF2}?+ffQor};y{-gct+UIx$9<TMv0v>(+n1>JGj`neU0e7#UcgrqQUEvD$F@r9e_LGi~2daMVgI^Z#59tKbpSABu=Qrz|z7@u^0rwX0X9wI6pVvMM?Pt+Cg7naWc&$9B1pku`EqzqyXswX<XurwC^K@RE>gdz{f&yJM)zMtwgA@Ho_5UUKmG+rE0avx(ROe1B&wUU#@8HKeKfl3$691ne4z{36Z_H~tXHmM&6Lgn!K4Zddoo_0>UIX4J9&hLi=^O{GAL#$%INSRlheJw&', torch.int64).reshape((32, 25, 4)), torch.tensor([True, True, True, False, True, True, True, True, False, True, True, True, True, True, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
