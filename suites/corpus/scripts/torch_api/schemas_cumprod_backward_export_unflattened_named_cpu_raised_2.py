# torch_api, export_unflattened.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression 4*u0 <= 1 (unhinted: 4*u0 <= 1). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x1[x3]
    v1 = torch.ops.aten.cumprod_backward.default(x0, v0, 1, x2)
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([5, 2, 2], dtype=torch.float32), torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v0 = x1[x3]
        return (x0, x2, v0)

class Part1(torch.nn.Module):

    def forward(self, x0, x2, v0):
        v1 = torch.ops.aten.cumprod_backward.default(x0, v0, 1, x2)
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
        [x0, x1, x2, x3] = args
        [x0, x2, v0] = self.part_0(x0, x1, x2, x3)
        self.steps()
        [v1] = self.part_1(x0, x2, v0)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-1.3526537418365479, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.4396958351135254, 0.11241118609905243, 0.6407923698425293, 0.441156268119812, -0.21586325764656067, -0.7425481677055359, 0.5627213716506958, 0.25962740182876587, 0.5228604674339294, 2.3022053241729736, -1.4688938856124878, -1.586688756942749, 1.203223705291748, 0.08453469723463058, -1.2001394033432007, -0.004785737954080105], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([-1.2904350757598877, -0.7911027073860168, -0.02087947353720665, -0.7184800505638123, 0.5186367630958557, -1.3125219345092773, 0.1919950693845749, 0.5427713394165039], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([False, True, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
