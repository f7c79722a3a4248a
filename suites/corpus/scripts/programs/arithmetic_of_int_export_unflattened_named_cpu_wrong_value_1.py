# programs, export_unflattened.named on cpu: WRONG_VALUE [0] an element is off by more than its terms and eager's error allow (rmse 2.22, eager_rmse 5.32e-08, excess 2.51e+05, worst_error 0.587, worst_allowed 2.34e-06, worst_index 1, allowed 2.16e-05, got -1.46714, expected -0.880287)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, n1):
    v2_0 = torch.lerp(x0, x0 * 2, round(x0.shape[0], -1) + n1)
    v2 = v2_0
    return (v2,)
reference = program
example = (torch.zeros([2], dtype=torch.float32), 2)
a = torch.export.Dim('a')
dynamic_shapes = (({0: a}, None),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, n1):
        v2_0 = torch.lerp(x0, x0 * 2, round(x0.shape[0], -1) + n1)
        return (v2_0,)

class Part1(torch.nn.Module):

    def forward(self, v2_0):
        v2 = v2_0
        return (v2,)

class Part2(torch.nn.Module):

    def forward(self, v2):
        return (v2,)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, n1] = args
        [v2_0] = self.part_0(x0, n1)
        self.steps()
        [v2] = self.part_1(v2_0)
        self.steps()
        result = self.part_2(v2)
        self.steps()
        return result
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
guards = getattr(exported.module(), '_guards_fn', None)
unflattened = torch.export.unflatten(exported)
submodules = sum((name.startswith('part_') for name, _ in unflattened.named_children()))

def implementation(*args):
    if guards is not None:
        guards(*args)
    before = int(unflattened.steps.taken)
    result = unflattened(*args)
    assert int(unflattened.steps.taken) - before == submodules, 'a submodule was not called once'
    return result

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32), 2, ), {}),
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
