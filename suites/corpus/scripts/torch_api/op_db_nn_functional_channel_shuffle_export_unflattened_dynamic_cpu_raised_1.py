# torch_api, export_unflattened.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0], …)! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (17). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. 
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.nn.functional.channel_shuffle(x0, x1)
    return parts(v0)

def program(x0, x1):
    return torch.vmap(inner, in_dims=(0, None))(x0, x1)
reference = program
example = (torch.zeros([17, 2, 8, 2, 17], dtype=torch.complex128), torch.zeros([], dtype=torch.int64))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 4: torch.export.Dim.DYNAMIC}, {}),)

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
    ((torch.tensor([(-1.1258398294448853-0.6135830879211426j), (-1.152360200881958+0.03159274160861969j), (-0.2505785822868347-0.4926769733428955j), (-0.4338788092136383+0.2484147548675537j), (0.8487103581428528+0.4396958351135254j), (0.6920091509819031+0.11241118609905243j), (-0.31601276993751526+0.6407923698425293j), (-2.1152193546295166+0.441156268119812j), (0.32227492332458496-0.10230965167284012j), (-1.2633347511291504+0.7924439907073975j), (0.34998318552970886-0.28966769576072693j), (0.30813392996788025+0.05250748619437218j), (0.11984150856733322+0.5228604674339294j), (1.237657904624939+2.3022053241729736j), (1.1167771816253662-1.4688938856124878j), (-0.2472781538963318-1.586688756942749j), (-1.3526537418365479-0.6730899214744568j), (-1.6959311962127686+0.8728312253952026j), (0.5666506290435791+1.0553574562072754j), (0.7935083508491516+0.17784371972084045j), (0.5988394618034363-0.23033547401428223j), (-1.5550950765609741-0.3917543888092041j), (-0.3413603901863098+0.5432947278022766j), (1.85300612449646-0.3951575458049774j), (0.750189483165741-0.4462171792984009j), (-0.5854975581169128+0.7440207004547119j), (-0.1733967512845993+1.5209795236587524j), (0.18347793817520142+3.4105026721954346j), (1.3893661499023438-1.5311843156814575j), (1.586334228515625-1.2341350317001343j), (0.946298360824585+1.8197252750396729j), (-0.843676745891571-0.5515286922454834j)], dtype=torch.complex128).reshape((1, 2, 8, 2, 1)), torch.tensor([4], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
