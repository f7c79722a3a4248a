# torch_api, dynamo.mark_dynamic on cpu: RAISED ConstraintViolationError: Constraints violated (L['x0'].size()[0], …)! - You marked L['x0'].size()[0] as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = torch.nn.functional.avg_pool2d(x0, (4, 4))
    return parts(v0)

def program(x0):
    return torch.vmap(inner, in_dims=(0,))(x0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'batch', 3: 'b', 4: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((tensor_from_text('c-l3Sdr*{B7{-@qNkDG0$+Zzj2BXEXNGKfkybB48j*-n67Zq7<k&8l$PLsN{3y7hNw3-WqC@A0s2}0x&vFBY`N{Jj`TZtVokYYwa;u3OcppEkxe|+bhIq&=Z&U2pc`9>U0LBeN;h;DF!%<So=e}4ND4m?Eod1j}KJ+Asp(eu3xFn;zV;qiFNk#-X|+sxHqhp-jB5(VPY%Wvb#mLk>lJZ6}elGchbGV3Ko{gyBcE@~iw`e!8hcnYQnHi3D~R`T?i7-rjF!x)u@%753Aw)JMbycSEWSNWq_mDrlse*;uQW~6>|E+|^IK-FzM)umkk9#5-ipSwb1v)+Rm_cmnuK4?nB!f%3BYD&}TxjWRZvzioGTm`%ET-=u`;dJpfzQOelUk<<$GrpLuy=0vriF2oH9eQ_?7z>)AQ5u15Yhxg$qmPch6@lsU84|VK4GyMC@!AtLxKS(E`+XNFjl86h4U~c5K`3Q>UxOR*xxWFI&SlZcR}ENrh>ulW$r`39-aa3l@{Jm4+)etmX#j=SbC@PmP4`-{%a?zU*&$23YLyLjyB%>Mdt74~-2mlJYJhp1u>TcKH}fa`>_b}bXRh5HtEPiZ?PRL_F!`a<QQWC32^1XYz{st$)YZ9)+zb+FqQXNEKHZK{9|_Q=|0FWsQqrnKjKj`m1LN-6mjs_o)l=a}A=RyyfQG*g-}fx0_d<kPR%h=;AK3|xaGtwMt!R&C+S|Z+Mw&CxZ|OL(7X=fO&BvIN?uDy-V{sAXPlSk`I=Y}I-GRZ+jbz&iE&azf3XWVKrM6{#nhnv1@%31t*dyrxs?LOv7w7Smne8zU?NNkE>o`1B*FqxmGO7K9kmxSC|Ig<s7v(CHJO79QL$l<@nvGzRr9*se1i7Z~<#I67xrD3v4J$98(k?qXT``6|xl&lr7g2xjD|ko!A<n(a2UCA7h6Od?Vq!KV7|W^j%%H|1V4iUlZeyin)rWbf#~eH2on<bs@)P&rrO65rtN(V-8>ff2X>w$b=;}TAkDK5tNe70mtH9_tlc4&j7ss^lodfIfgWUK1chCvDMzbj6Ii$N_P;VVfA1i~zAPbo6T_d*s%NirgD&f{e#6dwF_&ocLW_&(F>%!wXEfQHW6c3++{FDL8G%}|8_7|v|atHZ?K{9+%0?lp+3#P`_mye#Nyq;T}-mb<#^i&qX-JoR*91Wx0^*%5DlNDy%#5`>Bmy)E=d~9?Uh{uCHv?8M?PLVvYvS)ecDf?n}5!RcbSftD28KSiMauQ|d2Y=T(kk!1hJ~r?F#US!6S)h@d71;Bu5-(JD(lHkUs2|y4!wzTdf25ZtxB', torch.float32).reshape((9, 1, 2, 4, 4)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
