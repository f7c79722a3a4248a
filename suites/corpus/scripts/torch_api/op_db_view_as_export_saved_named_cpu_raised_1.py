# torch_api, export_saved.named on cpu: RAISED build raised UserError: Constraints violated (b)! - Not all values of b = L['args'][1].size()[1] in the specified range satisfy the generated guard ((5*L['args'][1].size()[1]) % 3) == 0.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1):
    v0 = x0.view_as(x1)
    return parts(v0)
reference = program
example = (torch.zeros(270, dtype=torch.float32).as_strided([45, 3], [6, 2], 0), torch.zeros([3, 9, 5], dtype=torch.float32))
b = torch.export.Dim('b')
dynamic_shapes = (({0: 5 * b}, {1: b}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import io
buffer = io.BytesIO()
torch.export.save(exported, buffer)
buffer.seek(0)
implementation = torch.export.load(buffer).module()

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.randn(89, generator=G).to(torch.float32).as_strided((15, 3), (6, 2)), torch.tensor([-1.036370873451233, -0.16518044471740723, 1.5553901195526123, 1.579468011856079, 1.7566592693328857, -0.33641761541366577, -0.03770817071199417, 0.5755765438079834, 0.6720400452613831, 1.0760494470596313, -0.6148867011070251, -0.38496148586273193, 0.04459386318922043, 0.17261181771755219, 1.0198242664337158, -0.8315904140472412, -0.524858832359314, -0.051923297345638275, 0.6958842873573303, 1.2133673429489136, -1.7342365980148315, 0.6690672039985657, 0.7498116493225098, 0.8026134967803955, 1.4841572046279907, -1.3117841482162476, -0.27770206332206726, -0.058556366711854935, 1.1503766775131226, 1.484697937965393, -0.2501831650733948, 0.04316985234618187, 0.24376435577869415, 0.3661474585533142, 0.8605928421020508, -0.28982317447662354, -0.2184855043888092, 0.4383722245693207, 0.7487245202064514, 1.385233998298645, -0.50971919298172, -0.46475496888160706, -0.3934287428855896, -0.29433971643447876, 2.337686061859131], dtype=torch.float32).reshape((3, 3, 5)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
