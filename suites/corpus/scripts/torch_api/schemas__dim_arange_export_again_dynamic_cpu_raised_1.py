# torch_api, export_again.dynamic on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not extract specialized integer from data-dependent expression u0 (unhinted: u0). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0[x1]
    v1 = torch.ops.aten._dim_arange.default(v0, 1)
    return parts(v1)
reference = program
example = (torch.zeros([5, 2, 2, 2], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318, -1.3526537418365479, -1.6959311962127686, 0.5666506290435791, 0.7935083508491516, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, -0.21586325764656067, -0.7425481677055359, 0.5627213716506958, 0.25962740182876587, -0.17396099865436554, -0.678746223449707, 0.9382607340812683, 0.4888698160648346, 1.203223705291748, 0.08453469723463058, -1.2001394033432007, -0.004785737954080105, -0.5180748105049133, -0.30670419335365295, -1.580993890762329, 1.7066433429718018], dtype=torch.float32).reshape((5, 2, 2, 2)), torch.tensor([False, True, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
