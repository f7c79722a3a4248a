# torch_api, inductor.oblivious on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: ZeroDivisionError: integer modulo by zero
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.CrossEntropyLoss(reduction='mean').train()

def program(x0, x1):
    v0 = torch.func.functional_call(module, {}, (x0, x1), {})
    return parts(v0)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 7, 3, 7, 3, 8)), torch.tensor([], dtype=torch.int64).reshape((0, 3, 7, 3, 8)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 7, 3, 1, 3, 8)), torch.tensor([], dtype=torch.int64).reshape((0, 3, 1, 3, 8)), ), {}),
    ((torch.randn(1512, generator=G).to(torch.float32).as_strided((3, 7, 3, 1, 3, 8), (72, 216, 24, 24, 8, 1)), tensor_from_text('c-oDWF%ASV2m`?o{{Q4FHrpW0`qEfL0Sq`~Jf|+s#d9&2{bDcs^$+lO@pHwcdjXGJ`Fq&~ep(n{Q#}cBdc70yDd0blzv12PZv(&WAHbtc9RvMnn6rS-*3|&tHu@Qe<8+kqeFSwnBz}T=1bsg6K7psx{eVtLp9A@c|1ml|5I>>bg8mEUTCfKS{)_(P8!)Fbb853U4#WwwXWV{}seep9(n*<l$?Rp)EzNVxfBgZIkOGh', torch.int64).reshape((3, 3, 1, 3, 8)), ), {}),
    ((torch.randn(3528, generator=G).to(torch.float32).as_strided((7, 7, 3, 1, 3, 8), (72, 504, 24, 24, 8, 1)), tensor_from_text('c-ozpNsa^|3<M2c{{Q4TO!vi7C{Wi0p#pDYCZ^*5o6lHl%+GjW>@}XX?`!9-G1olS`m_FTzp?zL#CK(0%kHf4!hHKHsl(2@mfZmR0d=8xX5|-Pe;(`Gke|gnf`|P-0FMpp>D*~uLOw0^ynxq$ybJu&{*Au`oF14T$YUgqk$5+b2l5T5U&Hy2<a-`<hw50ct|Xo#x{%`c0)LL+xL|z%p9}Qtz`2g_?>^cgzlImWzwsd<z6RY*soMzeOz#@}9MQD~eud~I%?IL5;c<)3j_{3m)lg^R5#hw}e5J3T^9ZR&iv5B87tW>RKB78Yu}io$oQ~9m?%M`_jp!!bH!1yPi$3LJKaikXl&AHpuec202kB&hee)aAkCp7Zpr0f6<CXp>ANyg_KRU+|++XRNO8TdI#CZyTNGI#DKkCQ#*p)tr&Vj!Eu@4;K-Ie~j<lSfdPI+&Y+z$<Yi9acP=*N7H+!sgs^Y8o*i0cL9', torch.int64).reshape((7, 3, 1, 3, 8)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
