# programs, inductor.oblivious on cpu: WRONG_VALUE [1] -inf where the reference has +inf (wrong 105, elements 128, worst_index 0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import random

def program(x0, n1, x2):
    v3 = x0[n1:]
    v4 = v3.contiguous().view(v3.size(1), v3.size(0))
    v5_r = random.Random(1)
    v5_y = x2 * v5_r.random()
    v5_z = v5_r.randint(1, 9)
    v5 = v5_y + v5_z
    return (v4, v5)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled

import base64, zlib

def tensor_from_text(text, dtype):
    return torch.frombuffer(bytearray(zlib.decompress(base64.b85decode(text))), dtype=dtype)

calls = [
    ((torch.tensor([(1-1j), (-1+0j), (2-3j), (-1-2j), (3+3j), (-3-2j), (-2+0j), (2+1j)], dtype=torch.complex64).reshape((8, 1)), 12, tensor_from_text('c-mvAVQ64z;4)xn@ZKk|gQ3RFhM|UG=Y^FvyBX?^?|HqGp^l-h&wlBOpoKAe7#OZ@Rkdbd0IF#CWX@3YVe1;xEqjh^4&BPJQ^R7mne<+*-3$x~Rx|fVS=!im>73uG0yKr8=Gk)jJ>SgQw^r?AsA;tY=?022I5{%zUvI(iC&6lgO^PMMABKh>rmOZeTJ!D-*;i|QVvps<nfvAJJybT>ve}Am>)tA`=bh<$O9{grdl?$o_muDWZpBbnp`T<cu>@#h&56AXb*r`lSqvp6ARk@aFKX#xDX`ncG*|zi=^v}ryBHdZcj?+bSnFu3w0p}&K`k~1hK74P0Jz>}4*', torch.float16).as_strided((2, 8, 1, 8), (64, 1, 64, 8)), ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
