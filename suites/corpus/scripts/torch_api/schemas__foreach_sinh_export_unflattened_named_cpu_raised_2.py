# torch_api, export_unflattened.named on cpu: RAISED RuntimeError: Expected input *args[0].shape[0] = 3 to be of the form s99 + 3, where s99 is an integer
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten._foreach_sinh.default([v0, x1])
    return parts(v1)
reference = program
example = (torch.zeros([11, 2], dtype=torch.float32), torch.zeros(10, dtype=torch.float32).as_strided([5, 2], [1, 5], 0), torch.zeros([11], dtype=torch.bool))
a = torch.export.Dim('a')
c = torch.export.Dim('c')
d = torch.export.Dim('d')
dynamic_shapes = (({0: a + 3}, {0: c, 1: d}, {0: a + 3}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2):
        v0 = x0[x2]
        return (x1, v0)

class Part1(torch.nn.Module):

    def forward(self, x1, v0):
        v1 = torch.ops.aten._foreach_sinh.default([v0, x1])
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
        [x0, x1, x2] = args
        [x1, v0] = self.part_0(x0, x1, x2)
        self.steps()
        [v1] = self.part_1(x1, v0)
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

calls = [
    ((torch.tensor([9.255414962768555, -42.43038558959961, 73.02860260009766, -75.87079620361328, 193.51210021972656, 29.776615142822266], dtype=torch.float32).reshape((3, 2)), torch.tensor([-1.929188847541809, 57.38518142700195, -32.73454666137695, -94.97575378417969, 184.06761169433594, 79.88922882080078, -134.42129516601562, 6.0709028244018555, -62.502044677734375, 48.40994644165039, -183.44061279296875, -33.843292236328125, 46.01847457885742, -156.46070861816406, -62.424285888671875, -122.15914916992188, -11.12460994720459, 2.0006792545318604, -18.777952194213867, -29.647769927978516, 115.04615783691406, 20.0490779876709, -87.76126861572266, -43.318729400634766], dtype=torch.float32).as_strided((3, 8), (1, 3)), torch.tensor([False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
