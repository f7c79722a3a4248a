# torch_api, aoti.bounded on cpu: RAISED build raised RuntimeError: aten::_embedding_bag_dense_backward() Expected a value of type 'int' for argument 'mode' but instead found type 'SymInt'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5, x6):
    v0 = x6.item()
    v1 = torch.ops.aten._embedding_bag_dense_backward.default(x0, x1, x2, x3, x4, 2, True, v0, x5)
    return parts(v1)
reference = program
example = (torch.zeros([7], dtype=torch.float32), torch.zeros([7], dtype=torch.float32), torch.zeros([7], dtype=torch.float32), torch.zeros([5], dtype=torch.float32), torch.zeros([7], dtype=torch.float32), torch.zeros([7], dtype=torch.int64), torch.zeros([], dtype=torch.int64))
a = torch.export.Dim('a', min=5, max=16)
dynamic_shapes = (({0: a}, {0: a}, {0: a}, {}, {0: a}, {0: a}, {}),)

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
import os, tempfile
os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'
package = os.path.join(tempfile.mkdtemp(), 'program.pt2')
torch._inductor.aoti_compile_and_package(exported, package_path=package)
implementation = torch._inductor.aoti_load_package(package)
inside = implementation

def implementation(*args):
    if 5 <= args[0].size(0) <= 16:
        return inside(*args)
    try:
        inside(*args)
    except Exception:
        return program(*args)
    raise AssertionError('sizes outside the bounds of a Dim were not refused')

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427], dtype=torch.float32), torch.tensor([-1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32), torch.tensor([-0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132], dtype=torch.float32), torch.tensor([0.1227012425661087, -0.5663174986839294, 0.3731146454811096, -0.8919953107833862, -1.5091077089309692], dtype=torch.float32), torch.tensor([0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837], dtype=torch.float32), torch.tensor([1, 1, 1, 0, 1], dtype=torch.int64), torch.tensor([2], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
