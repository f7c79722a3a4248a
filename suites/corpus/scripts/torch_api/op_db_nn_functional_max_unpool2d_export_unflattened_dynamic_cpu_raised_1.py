# torch_api, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0], …)! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (17). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.nn.functional.max_unpool2d(x0, x1, kernel_size=3)
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, 0))(x0, x1)
reference = program
example = (torch.zeros([17, 1, 2, 2, 3], dtype=torch.float32), torch.zeros([17, 1, 2, 2, 3], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        return torch.vmap(inner, in_dims=(0, 0))(x0, x1)

class Exported(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.steps = Steps()
        self.part_0 = Part0()

    def forward(self, *args):
        [x0, x1] = args
        result = self.part_0(x0, x1)
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
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((1, 1, 2, 2, 3)), torch.tensor([8, 5, 7, 17, 15, 0, 1, 0, 17, 6, 1, 15], dtype=torch.int64).reshape((1, 1, 2, 2, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
