# programs, inductor.unbacked+bounded on cpu: RAISED BackendCompilerFailed: backend='inductor' raised: GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def program(x0, x1, x2):
    v3 = x0.mean((-2, -1))
    v4 = (x0 * 0.125 @ (x1 * 0.125).transpose(-2, -1)).softmax(dim=-1) @ x2
    v5 = v4.cumsum(2)
    v6 = v5.cumprod(1)
    v7 = v5.amin((0, 1), keepdim=True)
    return (v3, v6, v7)
from torch import Tensor

def differentiated(function):

    def with_gradients(*args):
        leaves = [arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg for arg in args]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return (*(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found)
    return with_gradients
reference = differentiated(program)
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1})
MARKED = {0: {1: 'a', 2: 'a', 3: 'a+1'}, 1: {1: 'a', 2: 'c', 3: 'a+1'}, 2: {1: 'a', 2: 'c'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)
implementation = differentiated(implementation)

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(450, generator=G).to(torch.bfloat16).as_strided((3, 5, 5, 6), (1, 3, 15, 75)), torch.tensor([], dtype=torch.bfloat16).reshape((3, 5, 0, 6)), torch.tensor([], dtype=torch.bfloat16).reshape((3, 5, 0, 2)), ), {}),
    ((torch.randn(450, generator=G).to(torch.bfloat16).reshape((3, 5, 5, 6)), torch.randn(540, generator=G).to(torch.bfloat16).reshape((3, 5, 6, 6)), tensor_from_text('c-jq+Jt#$C7{}jJTy>*_+`)1U3`TY94EMbMgAC3f14<^FNgZWA53Y>`MQ%zKA1Q;9!Fe8$4EI{(V~|Nn$s&rV$GiTY|HrRqjW@*5ksTCDDiWd@6SxXyq%5lWU?15a!=v(2B%P6UR1n2==s+*moRv_(CF-S3qWC@Su^s7we9I<OH@Of}^39&94VzL*qS$xpo+UMOFP>5TfM@zs)g??yk=w#&OGyb<ez{ft(1<5#K2?q4PTs}^-vrlomos4$8w&8ilo%?ZT?QP@xE!J?eRz~1yUcIacQiZJGpl?jE$+VN_O>LCS3B$WyRc)+&M}Q!>2^$a!JOpa2dXClC8=b&*5y=5M`Voe(;R<s6d${uC|+<)l&CJcPql(nbr|z9W%saxAM4{h&BM?i8p64h^oOgqXg^)rGlo3#4`PO|t^', torch.bfloat16).reshape((3, 5, 6, 2)), ), {}),
    ((torch.randn(450, generator=G).to(torch.bfloat16).reshape((3, 5, 5, 6)), torch.randn(1980, generator=G).to(torch.bfloat16).reshape((3, 5, 22, 6)), torch.randn(660, generator=G).to(torch.bfloat16).reshape((3, 5, 22, 2)), ), {}),
    ((torch.tensor([1.9765625, -1.171875, -1.21875, -2.28125, -0.033203125, 2.84375], dtype=torch.bfloat16).reshape((3, 1, 1, 2)), torch.tensor([2.0, -1.0, 3.0, 0.0, 0.0, 2.0], dtype=torch.bfloat16).reshape((3, 1, 1, 2)), torch.tensor([-149.0, 29.5, 106.5, 171.0, 90.5, -0.87109375], dtype=torch.bfloat16).reshape((3, 1, 1, 2)), ), {}),
    ((torch.randn(450, generator=G).to(torch.bfloat16).reshape((3, 5, 5, 6)), torch.randn(90, generator=G).to(torch.bfloat16).reshape((3, 5, 1, 6)), torch.tensor([176.0, -79.0, 118.5, 229.0, 73.0, 37.5, 70.5, 25.5, 84.0, -134.0, -69.5, 23.75, -101.5, -39.0, -146.0, -10.125, -107.0, 48.0, 146.0, -95.0, 119.5, -149.0, -54.25, 20.875, 152.0, -139.0, -76.5, 0.2255859375, 84.0, -35.25], dtype=torch.bfloat16).reshape((3, 5, 1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
