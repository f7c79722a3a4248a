# torch_api, aot_eager.oblivious on cpu: OVER_BUDGET tensor 'x0' size mismatch at index 0. expected 20, actual 27 (compiles 2, allowed 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.MultiLabelSoftMarginLoss(reduction='mean').train()

def inner(x0, x1):
    v0 = torch.func.functional_call(module, {}, (x0, x1), {})
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0: inner(x0, x1), (x0,), tuple(map(torch.ones_like, (x0,))))
    return (*outputs, *tangents)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float64).reshape((0, 17)).data, torch.tensor([], dtype=torch.int64).reshape((0, 17)).data, ), {}),
    ((torch.randn(520, generator=G).to(torch.float64).reshape((20, 26)).data, tensor_from_text('c-qaEOAdfQ3_|<ve`)t7#-V`Gjqy`kIt;}b?cjEPx{nz5bbVTf`du~8TO7-No#L5rUlH@B@NWC*@-DTWYJD!RRKBKhj=5eb9U+7Rb02SYN$qo5Zz<Qi-N%%9%aWh-Q~r*rJ8GOeZwTqeHg8KO(*C72f6{Zx^=0n+Q|d1!{|NKxR6i)!PnmC+xKn=D#pC+j?L2Pzc=vgVw{Bgj{|!R@{>rC(rMnk(DFEy', torch.int64).reshape((20, 26)).data, ), {}),
    ((torch.randn(540, generator=G).to(torch.float64).reshape((27, 20)).data, tensor_from_text('c-p;|(GkEP3_@Z5r8`0u9{SU}=2{a3#5!9(tfx;M))l_LUA~<Aw0?^NH80&qdyXz~SI8TceWkdxd@_V9HK)QkU-^NdeQCa}|FhQ1>Kxm1Z}m>?pW;a0tErw>e&LX>^nIS<tgxQykMb!x=TLa8aZ<?3Rqmm5u2S!Ud~KC~(p)XruU_Q{L48s>Z~fHJoKzmsh__TOpz<@#PdXQS<U4=geKp?!82', torch.int64).reshape((27, 20)).data, ), {}),
    ((torch.tensor([], dtype=torch.float64).reshape((0, 33)).data, torch.tensor([], dtype=torch.int64).reshape((0, 33)).data, ), {}),
]

for args, options in calls:
    implementation(*args, **options)
compiles = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if compiles > 1:
    sys.exit(f"{compiles} compiles for {len(calls)} calls, where {1} suffice")
