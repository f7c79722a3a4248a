# torch_api, export.auto on cpu: WRONG_SHAPE structure tuple(tensor, tensor, tensor, None, None, None) where eager gives tuple(tensor, tensor, tensor, tensor, tensor, None)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.LazyConv3d(5, 3, padding='same').train()
module(torch.zeros([2, 4, 3, 4, 5]))

def inner(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)

def program(x0, x1, x2):

    def loss(x0, x1, x2):
        return sum((part.sum() for part in inner(x0, x1, x2) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0, 1, 2))(x0, x1, x2)
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
example = (torch.zeros([2, 4, 2, 2, 2], dtype=torch.float32), torch.zeros([5, 4, 3, 3, 3], dtype=torch.float32), torch.zeros([5], dtype=torch.float32))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(64, generator=G).to(torch.float32).reshape((2, 4, 2, 2, 2)), torch.randn(540, generator=G).to(torch.float32).reshape((5, 4, 3, 3, 3)), torch.tensor([1.4311201572418213, 1.953554630279541, 0.7651985883712769, -0.9105014801025391, -0.7276791930198669], dtype=torch.float32), ), {}),
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
