# torch_api, export_unflattened.named on cpu: RAISED build raised UserError: Constraints violated (a, …)! - Not all values of a = L['args'][0].size()[1] in the specified range 5 <= a satisfy the generated guard (1 + (((-5) + L['args'][0].size()[1]) // 3)) == 1.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = torch.nn.functional.conv2d(x0, x1, stride=(3, 2), padding=(2, 1), groups=2, dilation=(4, 4))
    v1 = torch.clone(v0)
    return parts(v1)
reference = program
example = (torch.zeros([20, 7, 10], dtype=torch.float64), torch.zeros(901, dtype=torch.float64).as_strided([10, 10, 3, 3], [90, 9, 3, 1], 1))
c = torch.export.Dim('c')
a = torch.export.Dim('a', min=5)
b = torch.export.Dim('b', min=7)
d = torch.export.Dim('d', min=1)
dynamic_shapes = (({0: 2 * c, 1: a, 2: b}, {0: 2 * d, 1: c}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        v0 = torch.nn.functional.conv2d(x0, x1, stride=(3, 2), padding=(2, 1), groups=2, dilation=(4, 4))
        return (v0,)

class Part1(torch.nn.Module):

    def forward(self, v0):
        v1 = torch.clone(v0)
        return (v1,)

class Part2(torch.nn.Module):

    def forward(self, v1):
        return parts(v1)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()
        self.part_2 = Part2()

    def forward(self, *args):
        [x0, x1] = args
        [v0] = self.part_0(x0, x1)
        self.steps()
        [v1] = self.part_1(v0)
        self.steps()
        result = self.part_2(v1)
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

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(23040, generator=G).to(torch.float64).reshape((64, 24, 15)), torch.randn(10944, generator=G).to(torch.float64).reshape((38, 32, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
