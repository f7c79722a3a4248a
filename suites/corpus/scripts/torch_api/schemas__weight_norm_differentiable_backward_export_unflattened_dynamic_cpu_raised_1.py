# torch_api, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[2], …)! - You marked L['args'][0].size()[2] as dynamic but your code specialized it to be a constant (5). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. I
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = torch.ops.aten._weight_norm_differentiable_backward.default(x0, x1, x2, x3, 2)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 5], dtype=torch.float32), torch.zeros([2, 2, 5], dtype=torch.float32), torch.zeros([2, 2, 5], dtype=torch.float32), torch.zeros([2, 2, 5], dtype=torch.float32))
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}, {2: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1, x2, x3):
        v0 = torch.ops.aten._weight_norm_differentiable_backward.default(x0, x1, x2, x3, 2)
        return (v0,)

class Part1(torch.nn.Module):

    def forward(self, v0):
        return parts(v0)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()
        self.part_1 = Part1()

    def forward(self, *args):
        [x0, x1, x2, x3] = args
        [v0] = self.part_0(x0, x1, x2, x3)
        self.steps()
        result = self.part_1(v0)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2, 1)), torch.tensor([-1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 1)), torch.tensor([-0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((2, 2, 1)), torch.tensor([-0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087], dtype=torch.float32).reshape((2, 2, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
