# torch_api, export_unflattened.named on cpu: RAISED build raised UserError: Expected shape[0] = 0 of input Tensor to be of the form 5*a, where a is an integer
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = x0.view((5, -1, 5))
    return parts(v0)
reference = program
example = (torch.zeros([0, 0], dtype=torch.complex128),)
a = torch.export.Dim('a')
dynamic_shapes = (({0: 5 * a, 1: a},),)

class Steps(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('taken', torch.zeros((), dtype=torch.int64))

    def forward(self):
        self.taken.add_(1)

class Part0(torch.nn.Module):

    def forward(self, x0):
        v0 = x0.view((5, -1, 5))
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
        [x0] = args
        [v0] = self.part_0(x0)
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
    ((torch.tensor([(1.2828325033187866+0.28180986642837524j), (1.9873034954071045+0.4065707325935364j), (nan+9.99994610111476e-41j), (-inf-infj), (-0.3387523889541626-infj), (0.16507436335086823+1.0000000150474662e+30j), (-0.3715602159500122+0.7615147233009338j), (-inf-1.102883219718933j), (-0.7635071873664856+1.529927372932434j), (-0.43328484892845154-1.280137300491333j), (-1.5702852010726929-1.1827483177185059j), (-0.6838344931602478+9.99994610111476e-41j), (inf-1.0060817003250122j)], dtype=torch.complex128).as_strided((65, 13), (0, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
