# torch_api, inductor.unbacked+bounded on cpu: RAISED RuntimeError: Eq(u0**2*u2, 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.ops.aten._reshape_alias.default(x0, [1], [1])
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {0: 'a', 1: 'a', 2: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-lQxc|6tW8b8vsklV*82ZcV?(1eO9jq^T-vP4bUlBF5$5Mya<g&0n`Ld0n#F_atHvoBN5?|lv$g;9LC5lwETDNEgGCJiQce!pt|dbj6&zTap0zVF(mJZ8q^4s5%!0+mY^H?H~ZxX_DlCbC;lj&+x^F=ezuIz3uQW=3LBL$d?MqU0b$L@AFaOEMT4B2L{;$U|8vx`kwbUvxf9Cil_pdamHzdV*L;bup(f9CS<u=;Ph}$m5CUrpuz~+G#!}^jxH`Yl?(b7oy-yxEwTCYNB<NDooOIkgTdrcz+o;3*^`#DOlAQltYeDx9(+B&{4>=IG1tfEQddwnsCIgi8;8Sk0hTp2loxtppsDrp(P3odmlpuq`f-}_9`49=4HXa-f5rQ7U806Au4*BjSh<C7_2XlrEc2{cMPiFyEj%~==qWqNfM~u>nEhxZ<4U~;&w~Ck#_+1A2mdy!A2^|JPGY?*~qB-P?ig8GjltVR`WZ6ozsBZ&?vo3b>}TXxBG*%N!gz8dwU5RkB-<-sL{3<ubplqiXAf;C~qV@?LJB`S_I%Nc>^3&^2VgpXtJrLUYdCJ0j|<vsN}MY1a_@N+l6KDc<+#q#awvJ2C8n?Av=E-E|9U~^^AGMOUV~*9npsKI#YDqdLtB`YLyl`3ZOOYEDjD-<IBny%&O2fWO=fD%J133#tc(#&F0KlJD+Z!sD&WOx6HJ;7;HOB;pAuvw8+~cn?JUWHoa%SRB1gFyDH*CxvO;V@OiYGKPJ4~cLM#lhe^}drDJDy9DaV+7Ap(~nGaZV-kn;a8^xzMKL$rtu+dsgCh#1VRyHwIO-T*}vhUEmfpRhJ*jPj0_EQMkvL24;S4lr$Cvi>jPYa|G{~&jq#i+2;iL2`YyI6+BnAmE<6wF&8yJaSa0Y$IKre!=?+}b>_DHULgOCe=r+|(Ei<14d>O{yQQ8IDB%`b2b*hH<s#`-dQF^WP0cc<|*n#LU-FmebLOPgCXr3%%O2mtpbZr$d;uJzrBsUPyDc%F95dgyUgU^(E$+Zy{Y{Zt%rl^=J7WediABm}Qg3G&c5A7DqwWiHeoW(D{KObp84{99|xQ_vWnNj6*UU+?p?}@Xtc7Up8xiC@d7Zi<dLEetArG?h`=0*awZwCDgOb9$xhZgGWp<Bz(1qo?93IS&!7I*zXfu#dpNViV|VNCmo!h&E6s=+u4tNtn;2@QP`VTjCScqaaVH+YE|YCcHeooj9hu~ny3i?pPiK_U;X3{%E6gdyPJd<;9<?xZoX3y#yso51SJ#vG^vQ1RJW0>#$)8#J9UgwJ`T$_IN;9{sv;Jb_4%cH0nRErLDvFTsN8si(@1TLnkY>@o?b7G$M<^XiH#&JTn;lsL+E?`vo)6`x%_^ZoW69D=4SVEHAtuv!uqlT9Cf^o36m{!pClKvhrWe?`am*3+Blm~lO@uDu`8_R=Ge92+aY|EJx3<`2z+>3<}OT`a=8heea30?!2KO?RVxk`$BfgDz0PtqtV%^4hj?zUuyu?$8uQ?%Ln`oTi3y~hyNFL*But9wd{}ceou(Zufb%`8IlsHsMhcTV3mYY7>X@^umK0mA#EQgvd=Vk0u2e&I4E^!f;RdcBDmr38o6ZWGB7Z>ay@>IPI_b6CD#l0L%Ej<tQi*g-rDL;xH3m%eld<vVcsTeBU9sE;EckcezT`Bg;i0$3@zID87T!$+%e!?}zWF*bZ`}&ICx1xTsV@MJQ}UwFovk1A&l6t`Q=#f{Q*?{{D@Y`6aPyrW5&e4%c9v>D?Supb)^f6}Q?oSs2Q^Whb|lf$-3-&T9ESVU=tTb|GGn}t%lGxfS}?Yb#epv(afM?&DwV0h@impC^qraLSkCXlqD7Uk&f1fCpL?EIWl=I_yv+ocC;<f7{{nBqzvnpB7Q2I&b2!%r*L=m8<E{kNOK+lHZhd3t_a$^XVuz4D({&u7YA&s`Q9YE?YcStHXqTcObKhUf{WaC}DpeuH^!b(x<m3DEzcsxaSJ#?I{B3b2KJ?3_H9szgKmTJ0zCM4@z&=fwo$Ds;8lRDcsrh&>a4FpE`WM>w1VTf(Cf6gYe>?$FXBDEXo`#2(265Oy`u%v*FCJq*i$Ra-W-OJ<5%xG}qNdr;++U?H{*%R>vux&*k%A>OcWxcmgNfhxq7q+-a<vVxYxX?Ud~GEPvOPo()z4WyO;hB24?c<Ev~bnyHQJh~$ZWi{IQ^tOpU?H!8$}iP_y@5Vk#SmFycM%AXwSIw-?1;UQw8C&9l+bKMoh2dpk<r~{vW}^t7-', torch.float32).reshape((16, 16, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
