# engines, export.bounded on cpu: RAISED build raised Tautology: Constraints violated by no declared size: ((1 + (((-1) + (seq)) // 2)) % (1 + (((-1) + (seq)) // 2)*(((-1) + (seq)) // 2) + 2*(((-1) + (seq)) // 2))) != 0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def reference(x_BCS, first, second, norm, head):
    x = F.conv2d(x_BCS.unsqueeze(-1) * x_BCS.unsqueeze(-2), first, stride=2, padding=1)
    x = F.relu(F.group_norm(x, 2, norm))
    x = F.relu(F.conv2d(F.interpolate(x, scale_factor=2.0, mode='nearest'), second, padding=1))
    return x.mean((2, 3)) @ head
example = (torch.zeros([5, 3, 13], dtype=torch.float32), torch.zeros([4, 3, 3, 3], dtype=torch.float32), torch.zeros([4, 4, 3, 3], dtype=torch.float32), torch.zeros([4], dtype=torch.float32), torch.zeros([4, 12], dtype=torch.float32))
batch = torch.export.Dim('batch', min=3, max=16)
seq = torch.export.Dim('seq', min=3, max=16)
dynamic_shapes = (({0: batch, 2: seq}, {}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()
inside = implementation

def implementation(*args):
    if 3 <= args[0].size(0) <= 16 and 3 <= args[0].size(2) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return reference(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 3, 1)).data, torch.randn(108, generator=G).to(torch.float32).reshape((4, 3, 3, 3)).data, torch.randn(144, generator=G).to(torch.float32).reshape((4, 4, 3, 3)).data, torch.tensor([-0.17749308049678802, -0.500039279460907, 0.8672749400138855, -0.27319222688674927], dtype=torch.float32), torch.tensor([-0.09850002825260162, -0.016698108986020088, 0.3596457540988922, 0.5322073101997375, -0.41678592562675476, -0.5964282155036926, -1.1532442569732666, 0.3018283247947693, 0.15754267573356628, 0.5711259245872498, 0.1527528315782547, -0.2894408702850342, 0.28217706084251404, -0.43866395950317383, -0.13462628424167633, 0.6559782028198242, -0.7781485915184021, -0.5378718376159668, -0.4375973045825958, -0.23640938103199005, -0.37653693556785583, -0.21595044434070587, 0.33465060591697693, 0.32525718212127686, 0.3939250409603119, 0.6842761635780334, -0.42534491419792175, 0.25630372762680054, 0.16655446588993073, 0.5539606809616089, 0.09283891320228577, -0.13817842304706573, -0.305804580450058, 0.40801355242729187, 0.12386149913072586, -0.19336335361003876, -0.10021545737981796, -0.4187648296356201, -0.7759361267089844, -0.02882419340312481, 0.5990833044052124, -1.1416290998458862, -0.5064796805381775, -0.44394543766975403, 0.07182692736387253, 0.10153285413980484, 0.5269935131072998, 0.0658358484506607], dtype=torch.float32).reshape((4, 12)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
