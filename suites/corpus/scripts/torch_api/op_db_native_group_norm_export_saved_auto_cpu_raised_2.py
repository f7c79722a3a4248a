# torch_api, export_saved.auto on cpu: RAISED build raised RuntimeError: Runtime assertion failed for expression Eq((u0//2), 3) on node 'eq_1'
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = x3.item()
    v1 = torch.native_group_norm(x0, x1, x2, 2, v0, 2, 2, 0.5)
    return parts(v1)
reference = program
example = (torch.zeros([1, 12, 2], dtype=torch.float32), torch.zeros([6], dtype=torch.float32), torch.zeros(12, dtype=torch.float32).as_strided([6], [2], 0), torch.zeros([], dtype=torch.int64))
dynamic_shapes = None

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

calls = [
    ((torch.tensor([-138.783935546875, 11.97104263305664, -161.00755310058594, -10.396977424621582, -24.46605110168457, -77.68698120117188, -32.80703353881836, 28.026613235473633, 25.043514251708984, -61.80772018432617, 95.49443817138672, 82.07124328613281, 69.90762329101562, -12.370278358459473, -172.6304931640625, 28.24530029296875, -35.98296356201172, -145.12606811523438, 21.253124237060547, -190.5736541748047, -33.54533386230469, 173.43846130371094, 95.94377136230469, -72.1443099975586], dtype=torch.float32).reshape((1, 12, 2)), torch.tensor([-1.2697674036026, 0.02509392984211445, 0.5767081379890442, 0.09311496466398239, 0.8580548763275146, 9.99994610111476e-41], dtype=torch.float32), torch.tensor([-0.443277508020401, -0.443277508020401, 0.027568234130740166, 0.027568234130740166, 0.0845782682299614, 0.0845782682299614, 0.6514210104942322, 0.6514210104942322, 1.0853248834609985, 1.0853248834609985, 2.2450592517852783], dtype=torch.float32).as_strided((6,), (2,)), torch.tensor([6], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
