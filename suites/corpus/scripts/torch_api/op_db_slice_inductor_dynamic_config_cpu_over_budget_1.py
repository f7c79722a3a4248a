# torch_api, inductor.dynamic+config on cpu: OVER_BUDGET 10 <= x0.size()[0] (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.ops.aten.slice.Tensor(x0, start=-10)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(676, generator=G).to(torch.float32).as_strided((26, 26, 26), (0, 26, 1)), ), {}),
    ((tensor_from_text('c-s4PMsxq3d-k>r3=Q><#LwG&UBF?_z;K{`lP0^}@BIz-_ItYaPwQW^|G~2Jc9$1#*ndcjk>TaSuloyPHS8E)Y_)%A?{BZ^sk8sIb<Tc<I~VswOTXR+GHb1;w!`(ud+k<>ueAg6|Nl#?vH!=(Y<HmS$bOLdt{$uGRll?B7q{JQ*J`h_zss%DUbXp{T}9%)y$nDNUN7S8Tl`MgeS9_ptR7@WrNXnlssZ=*WeA3Y-N+$1*WOxlkNu*5f9yjIw%gy#c(p&MWuEOEhP$>s*SPG<Z!y_}+{=2Ub00|k@{m3IZqHh=&*uO7ePRBa?e@=AvIhXfd3B!', torch.float32).as_strided((8, 8, 8), (0, 8, 1)), ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
