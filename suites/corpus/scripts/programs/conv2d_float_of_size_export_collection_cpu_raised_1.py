# programs, export.collection on cpu: RAISED build raised UserError: Constraints violated (a, …)! - You marked a as dynamic but your code specialized it to be a constant (9). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with eith
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = x0 * float(x0.size(0))
    v4 = F.conv2d(x1, x2, stride=3, padding=2, dilation=2)
    return (v3, v4)
reference = program
example = (torch.zeros([9], dtype=torch.complex64), torch.zeros([2, 14, 2, 13], dtype=torch.float32), torch.zeros([2, 14, 3, 3], dtype=torch.float32))
a = torch.export.Dim('a')
b = torch.export.Dim('b', min=1)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a}
dynamic_shapes[example[1]] = {1: b + 1, 3: b}
dynamic_shapes[example[2]] = {1: b + 1}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([], dtype=torch.complex64), torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).reshape((2, 2, 2, 1)), torch.tensor([-1.1170142889022827, -0.6232458353042603, 0.9258532524108887, -0.5107548832893372, -1.645302653312683, 0.9816213846206665, 0.464321106672287, -0.8020357489585876, -0.9392728805541992, -0.767606794834137, 1.8422744274139404, 0.8294618129730225, -2.486868143081665, 0.6032750010490417, 0.5236306190490723, -0.8561035990715027, 0.6935444474220276, -1.5217214822769165, 1.0177562236785889, -0.6557374000549316, -0.22422601282596588, 1.3464409112930298, 0.38986408710479736, 1.3973181247711182, 0.30309900641441345, 1.4629522562026978, 0.44496631622314453, 0.69063800573349, -1.8502501249313354, -0.9817991852760315, 2.343477249145508, -0.4979802966117859, 0.7383820414543152, 0.09592016041278839, 0.2813466191291809, -0.2165500968694687], dtype=torch.float32).reshape((2, 2, 3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
