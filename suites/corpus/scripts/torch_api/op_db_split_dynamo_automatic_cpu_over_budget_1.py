# torch_api, dynamo.automatic on cpu: OVER_BUDGET ((4 + x0.size()[1]) // 5) == 6 (compiles 3, allowed 2)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.split(x0, 5, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((torch.tensor([], dtype=torch.int16).reshape((2, 0, 0)), ), {}),
    ((tensor_from_text('c-l>t36jMi2t;w$`(HQ4k=Nwc)YRl>QG}*x=yuLN%d!<SYqn3l|Lxu<d(JuU(eHEYuI%^ixnKKTS?oQ9=VFE3>%JfN*?077aol(Bwf$Zz#vb3f@A`)Ib$|WpXRUje?sLAYv-xV@x9_<bD>^sdzk0v<nf2}%Ht!yt>udIz_pP69rgMw=e)rwuEcffYUwoxUI@oRON%-FGu5-WC`^6*iJ4dH+rhAdWq2Tek9u$1_rx$<rjkOS&qvmHNEM?Ae4?Q}^MMy6&Uts3DicPMCUB++YYS+VhzdCkC#@t4}S0U{lI3^vG-Aj+s;#(q8&st;O#AYE+iZEk$-sf?5W_;b@=NGrfTdxNbzdIQfbMn8K2QhgRi<OS=KFatD@@{Ezp08=-rDJ;^WzwxyvfA#-18$i&{;q)e2o5By`dRO_Ev7iDT0~|M`+#|hQAj8ISaZU|L5|(7XT+l%V4bnue;g2BDksYWKXnJX1=O7}BXX39N$izx{^ZQ`>^NHcmyHTXDmw~izWDSWVKBHp@Y~Os;QW1i@p!Sz0!jCAfSUVkV4Fco-ihUYpTKCJ1kVaw{Z3YOj^JA*FV$*Pn7ANi5CauYrM5kaes@&Xj32XWuvMI}sOR?6gHD{Ef4)-L_bA1D$8&+S;roP9$-dld>UC1t2?jRuTj8bg#^dsuJV&@WRw>xx_s-b@gA%`rXoJQJH(xX_MMVryd&unJTwf&?CB9E`CGF}&BHRwXlt4?I^a!M=4KEYtj9^&~<PzRyqS;hpC-XfjrGS0K&J%f)hK#6)=d`HWM7BS*R+e7W#IxZQDNlv$Am#_oywstyRoDp2MFmSOg-H&rbgP?HhO#6$H92p<%Z6=fenu${+3=GV`S2QTAY|c<)Vgt>!c(s>)r6sumHakPRlX<rt?a7k-HJN;^!P<rTWG|AJ@(^WH`S}~QWaIYsuaa@wNNAZEwwf>Asp1FG8}%<TQSv7d{CG#%Y)uD>7d!vdBmwrw>12&Ag>P6L!~X$OWm)A!gyXM>U;3C!Af;5X>p5uc05oQm5NBitJPq0kNk_V(jOt4qY4WVwNUJ2;^qR&9lg4tY8$>e-kMH&Xj>*{hmLostz@deN_~m%D^$~nNN5+3`g)>x?O!)j%EXR(^TRasb&AEbQDQD=rtbFnuP#@k#xrOq`zD1<whLKHfr2I&kEw-*teBcQRg!-?lg(mHkBMZXHqwa_D2V~8`w^<8YL?IKU-#7xO+A&|P1xZ)n)vYs+dQgsq~^Z6;oU;}U%KQ9W;oId)#%iM`yn3Hh~zn%>{Me9JHD<{qK|m(4(e!9%^UlNy315zi_TUoN53@qwxX6+SkIyQn<|qUO7o;&s=*esU^UHenYh%aPxLXzaRyTw{OiR3b%0{ZmFCmNY$dGKW955|%8+UcPm3CwQR5993n=Qe89L?GRo5@LezT#)6q3nr`E~gPH^k)`d^3=eH_BO#$-BU=%ASlJX>#T-VReANwASbinin&;5Ab?H>(kFcCQ8(Sdbr}KFe9P2553pOw3zwDrdhXz#vc69eBb{~KkxbGkRJM@NnwGATWMCKb84b|VvbsLlP7pwqI0Xq^{9mR`~jEi#x(', torch.int16).reshape((2, 29, 29)), ), {}),
    ((tensor_from_text('c-nne(E@}Z2=gqj>;He(^eR%>z~Xs;Fb3s%oK|YBA$%TNPFrtFr+vF^kNr;DZ_6Dm_}Gzx)#$H6iw8!F#oLz0nx8}-8v1yAh!^>Wr_000qUA4{i#2pnSjj-%pmW!m&+s7x6?;@+>sbBn(7%Cc)la7S7+b$x*KjdjF7)V_t{ZlKR35v}RcqMV->mUbbqqV6pKJs5crmO=4%@KW1-iAEtaW63x8};IeuRp>$8KH5H!$lr!xm=i<t4(*tkm%<_CY)^ka_4lo6T5OF-P8!c$S<gZJA@Gn5Sa1`7SUM@ulBVvAtV{T4{9{KJ1%!#dA*~{C-Q%?Svxc<K~X)pgZQN0!|qAjkP7ijPjISUhw@psA3^iw|z^bEx$1ISihR1HokGyCF25-qsta=N>NX%+9`3u7tNV`>rpV7vJN6cHP?z!QroLE-3A(O88&A6r)+nW33K2KR!5P&$lR-BHuwIjEgyP+a;E!2>#ZAl+z6VqO>53fm))Q>Ig+}M+Ow+75bMh(LXO+rXPL%&K8x+`fgkW3w~)7gk!?G$#hXq$V_#QW4zopTjn3|8#_}$))#KVHrAw&Dy3_Uz_TKX|=j%zXHoQ5-M+QBNt`4UO%k8yS;eOEB>#8x&_07babgoa?-CsKDn=a}NVzb39v^jdtw^rMM3GD0W+nj6OR$y(!e*>+@(Y=uEe~G>K<l0(Z@iRr%U5kAqY5eY79>r1g(KY{eXlO?Aq~Yy=XzaSZKO(6!SFJ_%E&%V(kZ)vfhxq>#n|ZgL(|0|!yX3et|G;0^I=RjT{Rh`}KZF', torch.int16).reshape((2, 31, 31)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 2:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {2} suffice")
