# programs, export_again.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][1].size()[0], …)! - You marked L['args'][1].size()[0] as dynamic but your code specialized it to be a constant (24). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4 = F.conv1d(x0, x1, x2, groups=2, stride=1, padding=0, dilation=1)
    v5 = torch.stack(torch.unravel_index(x3, x1.shape))
    return (v4, v5)
reference = program
example = (torch.zeros([2, 2, 12], dtype=torch.float32), torch.zeros([24, 1, 3], dtype=torch.float32), torch.zeros([24], dtype=torch.float32), torch.zeros([2, 1, 2], dtype=torch.int64))
dynamic_shapes = (({2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576], dtype=torch.float32).reshape((2, 2, 3)), torch.tensor([0.46809640526771545, -0.1577124446630478, 0.5627213716506958, 0.25962740182876587, -0.17396099865436554, -0.678746223449707, 0.9382607340812683, 0.4888698160648346, -0.6730899214744568, 0.8728312253952026, -1.2001394033432007, -0.004785737954080105, -0.5180748105049133, -0.30670419335365295, -1.580993890762329, 1.7066433429718018, -0.4462171792984009, 0.7440207004547119], dtype=torch.float32).reshape((6, 1, 3)), torch.tensor([0.25498273968696594, 1.8042484521865845, -0.450237512588501, -0.48303207755088806, 0.6577075719833374, 0.9386566877365112], dtype=torch.float32), torch.tensor([17, 11, 6, 16], dtype=torch.int64).reshape((2, 1, 2)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
