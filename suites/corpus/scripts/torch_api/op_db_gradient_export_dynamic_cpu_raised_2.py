# torch_api, export.dynamic on cpu: RAISED build raised UserError: Constraints violated (L['args'][0].size()[0], …)! - You marked L['args'][0].size()[0] as dynamic but your code specialized it to be a constant (3). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.gradient(x0, dim=(0, -1), spacing=[x1, x2], edge_order=1)
    return parts(v0)
reference = program
example = (torch.zeros(27, dtype=torch.float32).as_strided([3, 3, 3], [1, 3, 9], 0), torch.zeros([3], dtype=torch.float32), torch.zeros([3], dtype=torch.float32))
dynamic_shapes = (({0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC, 2: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(3840, generator=G).to(torch.float32).as_strided((16, 15, 16), (1, 16, 240)), torch.tensor([0.7817349433898926, -0.12258999049663544, -0.6897895932197571, -0.1921115517616272, -0.35882776975631714, 1.0382256507873535, -2.1951797008514404, -0.05799250677227974, -0.04585547000169754, -0.7661291360855103, 2.6095077991485596, 0.6236506104469299, 0.2504337728023529, 0.0895334929227829], dtype=torch.float32), torch.tensor([0.1949578821659088, 0.8076390027999878], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
