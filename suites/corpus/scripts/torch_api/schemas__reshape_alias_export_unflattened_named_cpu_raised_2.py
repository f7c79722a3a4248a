# torch_api, export_unflattened.named on cpu: RAISED RuntimeError: Runtime assertion failed for expression Eq(9*u0, 1) on node 'eq'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x0[x2]
    v1 = torch.ops.aten._reshape_alias.default(v0, [1], [x1])
    return parts(v1)
reference = program
example = (torch.zeros([5, 3, 3], dtype=torch.float32), torch.zeros(2, dtype=torch.int64).as_strided([], [], 1), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

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
        v1 = torch.ops.aten._reshape_alias.default(v0, [1], [x1])
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
    ((torch.tensor([1.2449005842208862, -1.7494568824768066, 0.21782617270946503, -0.05460929125547409, 0.3681448698043823, -0.01301051676273346, 0.34417951107025146, 0.5082552433013916, -0.6136252880096436, 0.019736330956220627, -0.4381270408630371, -1.8363105058670044, -0.26701056957244873, 0.9265958666801453, 0.3472285866737366, 0.2419198751449585, 0.991947591304779, 1.0343505144119263, -0.42944860458374023, 0.18977957963943481, -0.8886774182319641, -1.424606204032898, 1.7313717603683472, 0.3015073239803314, -0.3578167259693146, -0.31104040145874023, -0.6995997428894043, -0.11200888454914093, 0.33645740151405334, 0.8415915966033936, 0.0014405030524358153, 0.37017229199409485, 0.5446535348892212, 2.075406312942505, 0.02458156831562519, -1.1494721174240112, 1.480263352394104, 1.0071995258331299, -2.206645965576172, 0.8656730055809021, -0.7077139019966125, 1.0246857404708862, -1.1129966974258423, 0.09529511630535126, 2.0292773246765137], dtype=torch.float32).reshape((5, 3, 3)), torch.tensor([1], dtype=torch.int64).reshape(()), torch.tensor([True, False, True, False, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
