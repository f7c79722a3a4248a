# torch_api, export_unflattened.named on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = x0[x1]
    v1 = torch.stft(v0, n_fft=7)
    return parts(v1)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
example = (torch.zeros([17, 11], dtype=torch.complex128), torch.zeros([11], dtype=torch.bool))
batch = torch.export.Dim('batch', min=1)
a = torch.export.Dim('a', min=4)
dynamic_shapes = (({0: batch, 1: a + 3}, {0: a + 3}),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0, x1):
        return torch.vmap(inner, in_dims=(0, None))(x0, x1)

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
    ((torch.tensor([(1.5409960746765137+0.8380263447761536j), (-0.293428897857666-0.7192575931549072j), (-2.1787893772125244-0.40334352850914j), (0.5684312582015991-0.5966353416442871j), (-1.0845223665237427+0.18203648924827576j), (-1.3985954523086548-0.8566746115684509j), (0.40334683656692505+1.1006041765213013j)], dtype=torch.complex128).reshape((1, 7)), torch.tensor([True, True, True, True, False, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
