# engines, aoti.named on cpu: RAISED build raised UserError: Constraints violated (seq)! - Not all values of seq = L['args'][0].size()[2] in the specified range satisfy the generated guard ((1 + (((-1) + L['args'][0].size()[2]) // 2)) % (1 + (((-1) + L['args'][0].size()[2]) // 2)*(((-1) +
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
example = (torch.zeros([5, 3, 13], dtype=torch.bfloat16), torch.zeros([4, 3, 3, 3], dtype=torch.bfloat16), torch.zeros([4, 4, 3, 3], dtype=torch.bfloat16), torch.zeros([4], dtype=torch.bfloat16), torch.zeros([4, 12], dtype=torch.bfloat16))
batch = torch.export.Dim('batch')
seq = torch.export.Dim('seq')
dynamic_shapes = (({0: batch, 2: seq}, {}, {}, {}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return reference(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([], dtype=torch.bfloat16).reshape((0, 3, 3)).data, torch.randn(108, generator=G).to(torch.bfloat16).reshape((4, 3, 3, 3)).data, torch.randn(144, generator=G).to(torch.bfloat16).reshape((4, 4, 3, 3)).data, torch.tensor([0.1982421875, -0.99609375, -1.8046875, 0.28515625], dtype=torch.bfloat16), torch.tensor([0.404296875, 0.10302734375, 0.400390625, -0.90234375, 0.216796875, 0.1240234375, -0.3125, -0.333984375, -0.67578125, 0.28125, 0.9609375, 0.037109375, -0.64453125, 0.33984375, -0.55859375, 0.10595703125, 0.22265625, -0.482421875, 0.50390625, 0.8046875, -0.76171875, -0.111328125, 0.4921875, -0.1279296875, 0.09814453125, 0.7265625, -0.216796875, 0.6953125, -0.06298828125, -0.5703125, 0.2294921875, 0.796875, 0.353515625, -0.31640625, -0.71484375, -0.7578125, 0.294921875, -1.0234375, -1.0078125, 0.115234375, 0.062255859375, -0.5625, 0.0439453125, -1.2890625, 0.0439453125, 0.126953125, -0.0751953125, -0.337890625], dtype=torch.bfloat16).reshape((4, 12)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
