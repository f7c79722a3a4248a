# torch_api, dynamo.once on cpu: RAISED UserError: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, n0):
    v0 = x0[x1]
    v1 = torch.gradient(v0, dim=None, spacing=[n0, 2.1], edge_order=1)
    return parts(v1)
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
    ((tensor_from_text('c-n1M0TRM649d^S)BM@;G_?}~b>7XnHfsohSoK=9Kd<Zah1$>Hy+3PxukWkxy|Qb^UUxk2d#@(uyZ$|kchAFI#ISMntncUg<?Y$$+EZS}@LcBeXUDHPf9L89e)<<vgU#PV4`1l4n>dMIxG&4goNI6pE6?2Vu;-Or{PEX=LGL0ta!$bB*7VwWQ*Bl=@sRtc+CyK4QF)!4PQ0F5du#T^XAgJkaV5W@2^e=h{V3~kXa<KKU~y%5D!t@+LmQRaVLl*Z3duwDQNMAm9>I9+2Q9;DTB&Wtue`f1n8)?#zuhnB^tbDt{;z&mtIQ)k*lh5=IVa&QWIt8Im9s=V;8}x(|M>;;virq7jzgb7*6sC4=g58c#;GUy-FtM*2F;3f%<1d!wCOi=a_C*!Mq&>SboLO)9PSUFaqu~dd^fm1=BNI<oJ*wVoKtxaZ><3$3;', torch.complex64).reshape((28, 8)), torch.tensor([True, False, True, True, False, True, False, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True, True], dtype=torch.bool), 2.0, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
