# torch_api, export_again.named on cpu: RAISED build raised RuntimeError: aten::_batch_norm_impl_index() Expected a value of type 'float' for argument 'eps' but instead found type 'FakeTensor'.
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = torch.ops.aten._batch_norm_impl_index.default(x0, x1, x2, x3, x4, True, 0.5, x5, True)
    return parts(v0)
reference = program
example = (torch.zeros([2, 2, 2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([2], dtype=torch.float32), torch.zeros([1], dtype=torch.float32).as_strided([], [], 0))
dynamic_shapes = None

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
options['dynamic_shapes'] = dynamic_shapes[0] if isinstance(dynamic_shapes, tuple) else dynamic_shapes
exported = torch.export.export(exported.module(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((2, 2, 2)).data, torch.tensor([-0.7192575931549072, -0.40334352850914], dtype=torch.float32), torch.tensor([-0.5966353416442871, 0.18203648924827576], dtype=torch.float32), torch.tensor([-0.8566746115684509, 1.1006041765213013], dtype=torch.float32), torch.tensor([-1.0711873769760132, 0.1227012425661087], dtype=torch.float32), torch.tensor([0.5], dtype=torch.float32).reshape(()).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
