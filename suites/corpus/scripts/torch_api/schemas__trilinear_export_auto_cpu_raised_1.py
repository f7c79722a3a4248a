# torch_api, export.auto on cpu: RAISED build raised GuardOnDataDependentSymNode: Could not guard on data-dependent expression Ne(4*u0, 0) (unhinted: Ne(4*u0, 0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x2[x3]
    v1 = torch.ops.aten._trilinear.default(x0, x1, v0, [1], [1], [1], [1])
    return parts(v1)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([5, 2, 2], dtype=torch.float32), torch.zeros([5], dtype=torch.bool))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([-0.6135830879211426, 0.03159274160861969, -0.4926769733428955, 0.2484147548675537, -0.23033547401428223, -0.3917543888092041, 0.5432947278022766, -0.3951575458049774, 0.20552566647529602, -0.4503297507762909, -0.5730770826339722, -0.5553584098815918, -1.5311843156814575, -1.2341350317001343, 1.8197252750396729, -0.5515286922454834, -1.3253259658813477, 0.1885535717010498, -0.06907268613576889, -0.4949253499507904], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([False, True, False, False, True], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
