# torch_api, dynamo.once on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    v1 = torch.gradient(v0)
    return parts(v1)

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
    ((tensor_from_text('c-nPTi?PEn2-9ZPXx%J~_Sz%}iM!{kuXW8w2w?yPfZxw|e=gkT&w0Loi+y*-=C}KQzW%ol?7p6TpZo4SwpwK|-n@4n^Hbh4_#R+`VV~PixjFg3!G?{$#=mRd_1+ke=eAcIP93Vd1}hiGj`6m6`Dp*<RXwTUOdKvh<?OsnJmf#|%dm7`u8b#pPJGo{$+z2K@!5B<-`%&?K=bOoagFSnS?SZ?%6SHZ<8iIY=NNvjzM5v$H`BFio{P`Mu09zK)p_L%Hit21$8>Frm9w$Amj*B6*5<)$4vknXK9|l9R*%S~Q5a`6J~5+fNe5V5SN2mmD`&O2j`zm(iPcx6y}u9s7NBywUi_T^Gq!k#*&3#p|H}E?bG_d&8dg+d2LAxqE$`O', torch.complex64).reshape((19, 5, 2)), torch.tensor([True, False, False, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
