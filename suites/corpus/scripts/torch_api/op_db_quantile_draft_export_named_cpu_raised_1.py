# torch_api, draft_export.named on cpu: RAISED AssertionError: Guard failed: args_0.size()[0] == 1
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.quantile(x0, 0.5)
    return parts(v0)
reference = program
example = (torch.zeros([1], dtype=torch.float32),)
a = torch.export.Dim('a', min=1)
dynamic_shapes = (({0: a},),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.draft_export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([0.13666336238384247, -0.8654958605766296, 0.3380695879459381, 1.0182509422302246, -0.5739549398422241, -0.5549408793449402, 0.6971615552902222, 0.0014736342709511518, -0.15419131517410278, 2.3636677265167236, -0.03055645525455475, 0.6858528852462769, 1.0971622467041016, -0.7855551838874817, 0.4689437448978424, 0.22364704310894012, 0.8459218144416809, -0.1333082914352417, -0.14011582732200623, 1.5688821077346802, -1.324812412261963, 0.41072118282318115, -0.01695244014263153, -0.7402216196060181, 0.8757143020629883, -0.1826721578836441, 0.9415687918663025, 0.6492555737495422, -0.8017468452453613, -1.9381184577941895, 0.8714597821235657, -0.6701099276542664], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
