# torch_api, aot_eager.unbacked+spec on cpu: WRONG_VALUE [0] elements differ where every value must be equal (wrong 9, elements 48, worst_index 6, got 4, expected 5)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.nn.functional.interpolate(x0, (3, 4), mode='bilinear')
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import inspect
from torch.fx.experimental.dynamic_spec import IntVar, ShapesSpec, ShapeVar, TensorSpec
DIMS = {}
VARS = {name: ShapeVar(name) for named in DIMS.values() for name in named.values()}
COMPILED = []

def spec_of(at, name, arg):
    if isinstance(arg, torch.Tensor):
        return TensorSpec([VARS.get(DIMS.get(at, {}).get(dim)) for dim in range(arg.dim())])
    return IntVar(name) if type(arg) is int else None

def implementation(*args, **options):
    names = inspect.signature(program).parameters
    spec = ShapesSpec({name: spec_of(at, name, arg) for at, (name, arg) in enumerate(zip(names, args))})
    if not COMPILED:
        COMPILED.append(torch.compile(program, shapes_spec=spec, backend='aot_eager', fullgraph=True))
    return COMPILED[0](*args)

calls = [
    ((torch.tensor([4, 9, 3, 0, 3, 9, 7, 3, 7, 3, 1, 6, 6, 9, 8, 6], dtype=torch.uint8).reshape((2, 2, 2, 2)), ), {}),
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
