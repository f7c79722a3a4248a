# programs, aot_decomp.mark_dynamic on cpu: WRONG_STRIDES [5] other strides than eager's, and it keeps the memory format of an argument (got [36, 6, 1], expected [6, 36, 1])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3, n4):
    v5_n = (x0 == x0).to(torch.int64).cumprod(-1).sum(-1)
    v5 = x0.gather(1, v5_n.clamp(max=x0.shape[1] - 1).unsqueeze(1))
    v6, v7 = torch.cond(x2, lambda part: (part * 2, part - 1), lambda part: (part + 1, part * 3), (x1,))
    v8 = F.local_response_norm(x3, 2, alpha=0.1)
    v9 = v5.new_full((n4,), 3)
    return (v6, v7, v8, v9)
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
compiled = torch.compile(program, backend='aot_eager_decomp_partition', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a', 1: 'b'}, 3: {0: 'c+1', 1: 'c+1', 2: 'c+1'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)
implementation = differentiated(implementation)

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 1, 1, 0, 2, 1, 1, 0, 1, 0, 3, 2, 1, 2, 2, 2, 0, 2, 2, 3, 3, 1, 2, 3, 2, 2, 3, 3, 3, 3, 2], dtype=torch.int64).as_strided((9, 5), (1, 9)), torch.tensor([-0.83349609375], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(1728, generator=G).to(torch.float32).reshape((12, 12, 12)), 4, ), {}),
    ((torch.full((89,), 0, dtype=torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([0.0], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(216, generator=G).to(torch.float32).as_strided((6, 6, 6), (6, 36, 1)), 33, ), {}),
    ((tensor_from_text('c-muNKn09wG&6}bI$%PhNi~m=08Og-gaE1Lld7Lo^GMY{(EcSv(<*)e-0%RH', torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([-0.1917724609375], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(1000, generator=G).to(torch.float32).as_strided((10, 10, 10), (10, 100, 1)), 4, ), {}),
    ((tensor_from_text('c-muNKn09wG&6}bI$%PhNi~m=08Og-gaE1Lld7Lo^GMY{(EcSv(<*)e-0%RH', torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([-0.1917724609375], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(1000, generator=G).to(torch.float32).as_strided((10, 10, 10), (10, 100, 1)), 4, ), {}),
    ((torch.tensor([0, 2, 2, 3, 3, 0, 1, 2, 2, 2, 0, 0, 0, 1, 3, 0, 0, 1, 2, 2, 0, 1, 2, 3, 3, 0, 0, 1, 2, 3, 2, 2, 3, 3, 3, 0, 1, 1, 2, 3, 1, 1, 1, 1, 3], dtype=torch.int64).reshape((9, 5)), torch.tensor([1.3544921875], dtype=torch.float16).reshape(()), torch.tensor([True], dtype=torch.bool).reshape(()), torch.randn(216, generator=G).to(torch.float32).reshape((6, 6, 6)), 4, ), {}),
    ((torch.tensor([3, 3, 0, 0, 2, 2, 0], dtype=torch.int64).as_strided((4, 1), (2, 2)), torch.tensor([-0.12347412109375], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(512, generator=G).to(torch.float32).as_strided((8, 8, 8), (8, 64, 1)), 3, ), {}),
    ((tensor_from_text('c-muPfB+^UX=Va6seloUMz@bt^_04gRPz}L(4>YZsqUk8_|e<Hl<J4k0K1?7i~', torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([-2.55859375], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(216, generator=G).to(torch.float32).as_strided((6, 6, 6), (6, 36, 1)), 17, ), {}),
    ((tensor_from_text('c-muRfB;4uG!uz5IzX3aCXpr;pt~R4JWAa|srv}oPpbb2na4<B{1S2>A@d1^A0ve{%p3sAXaJ4', torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([0.10516357421875], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(216, generator=G).to(torch.float32).as_strided((6, 6, 6), (6, 36, 1)), 4, ), {}),
    ((tensor_from_text('c-muNKn09wG&6}bI$%PhNi~m=08Og-gaE1Lld7Lo^GMY{(EcSv(<*)e-0%RH', torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([-0.1917724609375], dtype=torch.float16).reshape(()), torch.tensor([False], dtype=torch.bool).reshape(()), torch.randn(1000, generator=G).to(torch.float32).as_strided((10, 10, 10), (10, 100, 1)), 4, ), {}),
    ((tensor_from_text('c-muNKm|-B(#&WyA;5@66Ecs9LYk2K2&pGT6Y?KAO~^b(5@}N1N2z;B1%$$vP<kLXegM(n0F(', torch.int64).as_strided((9, 5), (10, 2)), torch.tensor([-0.01305389404296875], dtype=torch.float16).reshape(()), torch.tensor([True], dtype=torch.bool).reshape(()), torch.randn(216, generator=G).to(torch.float32).as_strided((6, 6, 6), (6, 36, 1)), 4, ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
