# programs, export_decomposed.named on cpu: RAISED build raised Tautology: Constraints violated by no declared size: min(2 + 2*(b), 4 + 4*(b), 8 + 8*(b)) == (2 + 2*(b))
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3, x4):
    v5 = torch.dot(x0, x0)
    v6, v7 = x1.nonzero(as_tuple=True)
    v8, v9 = (x1.transpose(0, -1), x1)
    v10 = torch.outer(v7, x2)
    v11_t = x3.sort().values
    v11_a = v11_t[0].item()
    v11_b = v11_t[1].item()
    v11_c = v11_t[2].item()
    v11_d = v11_t[3].item()
    v11_0 = x0 + torch.ones(v11_a, v11_b, device=x0.device).sum()
    v11_1 = v11_0 + torch.ones(9, 9, device=v11_0.device)[v11_a, v11_b]
    v11 = v11_1
    v12_buffer = torch.zeros(2, *x2.shape, dtype=x2.dtype, device=x2.device)
    torch.mul(x2, 2, out=v12_buffer[1])
    v12 = v12_buffer
    v13 = F.unfold(x4, 2, stride=1, padding=1)
    return (v5, v6, v8, v9, v10, v11, v12, v13)
reference = program
example = (torch.zeros(3, dtype=torch.float32).as_strided([2], [1], 1), torch.zeros(8, dtype=torch.float16).as_strided([2, 2], [4, 2], 0), torch.zeros(4, dtype=torch.int64).as_strided([2], [2], 0), torch.zeros([4], dtype=torch.int64), torch.zeros(9, dtype=torch.float32).as_strided([2, 2, 2, 1], [4, 2, 1, 1], 1))
a = torch.export.Dim('a')
b = torch.export.Dim('b', min=1)
c = torch.export.Dim('c', min=1)
dynamic_shapes = (({0: a}, {0: b, 1: a}, {}, {}, {0: c + 1, 1: c + 1, 2: b, 3: c}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.run_decompositions().module()

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.0, -1.0], dtype=torch.float32), torch.tensor([-0.212158203125, -0.212158203125, 0.689453125, 0.689453125, -0.83447265625, -0.83447265625, 0.016632080078125], dtype=torch.float16).as_strided((2, 2), (4, 2)), torch.tensor([-2, -2, 4], dtype=torch.int64).as_strided((2,), (2,)), torch.tensor([7, 3, 2, 8], dtype=torch.int64), torch.tensor([0.719707727432251, -0.9348400831222534, -0.2971107065677643, 0.021268945187330246, -0.7219969630241394, 1.3608535528182983, -0.6296685338020325, 0.09770817309617996], dtype=torch.float32).reshape((2, 2, 2, 1)), ), {}),
    ((torch.tensor([-0.6263784766197205], dtype=torch.float32), torch.tensor([1.12109375, 1.12109375, 1.58984375, 1.58984375, -0.65625, -0.65625, float("-inf"), float("-inf"), 0.255615234375, 0.255615234375, -3.740234375, -3.740234375, 1.3818359375], dtype=torch.float16).as_strided((7, 1), (2, 2)), torch.tensor([0, 0, 6], dtype=torch.int64).as_strided((2,), (2,)), torch.tensor([7, 3, 1, 2], dtype=torch.int64), tensor_from_text('c-lQwdr*{B6kimOz~Z69B1jA&j{#pBREx0pEC>iSro0-`34>q+L0+1TNVBLw@d!g62?Hpa!y+VT8l`>rEHVh8psW-k4^iR~j*7g()Y-gu#Xs)c@4M&x&hPxrJ?Dx<DuwBPrvz8E4b4}F;?!sk>bw<>(Uo;HXrqAl51ps;YJX^-3P=`-(iH>4u^@Vh(JoPX=DZU;tnGteLX+|3ug1Q|hcdrbo2Qu2)Wpx2AKSfK@?=-cbwms+U1f(c)oZCmks9WLM+rM`8{7n)>M%l|sR$iC`U<O31U+5{?0c!}JT_S!CPQV1!PqR94o9wpho%L{u(c-B%tvAH`+AUjJfW>|$n$7e+eP0ST*GaN{T7tz*jH$z`l~Gk`o1v)x_lR997zX^xUF7!0gjZ5g$0c>jeDqHO#=2LA4mV-H!!<sD?QnFgN*2f$(TLxPiv?S8SrHBSssgu58!fC(4O!IB-g)+Y=}CDj@QeeUt=LKAMFyQ&-X3@=D)qO4ZM~$6Bf%s`YUvti1%ET5#cHAT8f(k_Td`IL3D|E2d}KSNQ};$0EYDqS`UA8Cv(n|8QZwF>hil_uka^K!`^HkEH`lA@t@AxLWkdGkGk$V<WhSSG9Ko0-^@VH>}F}ry!NFe6Rn<m!Kz6GMmP2InvA>m;?ra;#__9C%;^0a`rECEWor$ZCsp7;^AB{P545_pHTy89nXC)z0;{ZgZg1FaqH<rR3(<Q9No1V%E*JduB6mZaBo}OTi%IFERL*j{);I@0O*IPbhkVfTRwvw^v!Swg<Kah*FIZNlz+zKFnO&@g_s7`foBW=Ik0!vRV_5dH#F*#nu*DrVk1DD8xD{Ev{v4V8x0tXzS^VqXt8x7C7)?zJ273=j=!qXBso!6sRTjEJzQeKCeODzxn0zAObW#A1dFstI=xtcb_%yz`g`m`zknAO5aOxJzMlMC-KW(w-ZtMb?vI!yWnFqd_8O@8CJY?K=cdq1jqVn~|9r-nI)y<mMVyae;mYNU2%(RkmD|8kYp!LQ$xao6G=9Ol^`53PGyBsu0OnN<2L%03twJ1yc^6L*sQB@dL%t}Ej4&-(_M>lFBw}X4?D9-&!>I&hJt{G(PY6FL$7lO2ND-=9OT%D%FXFF!40rbA_vM}cwn+P{P=WU6VyuOE(PV$5;a-`>rpf)U;ggd_t9wDF6v-*3%zp909D-g*~e<1-IeZqBLP9!L~^C|Dwk{xqYx&Iahp3UM~qNCP<`r~Oqq<fBY7)G|jk_JB%AGPJ!)4s8MzfqI{mxC(k@%>U>w+NXLpE>*PR+#v<5%z^3c%_tr>!_<Ra&Z$pvb;{T`LjMu*XUnuq|PPBaqPwC@Z0uTT7OK<-=C5>H?DKxO*@m74m+Jgc%6zpE|A35IyfS$=ed&bP_%eZhS7QMP#C)b*IFaA*dY;n>2R+90SmoON&', torch.float32).reshape((4, 4, 7, 3)), ), {}),
    ((torch.tensor([1.37264883518219], dtype=torch.float32), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float16).as_strided((3, 1), (2, 2)), torch.tensor([4, 4, 4], dtype=torch.int64).as_strided((2,), (2,)), torch.tensor([7, 1, 4, 4], dtype=torch.int64), torch.randn(540, generator=G).to(torch.float32).reshape((6, 6, 3, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
