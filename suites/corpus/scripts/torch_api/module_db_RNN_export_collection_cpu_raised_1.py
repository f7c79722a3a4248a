# torch_api, export.collection on cpu: RAISED build raised UserError: Constraints violated (a)! - You marked a as dynamic but your code specialized it to be a constant (8). If you're using mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.RNN(input_size=2, hidden_size=3, num_layers=2, batch_first=True, bias=False, bidirectional=False, nonlinearity='relu').train()

def program(x0, x1, x2, x3, x4):
    v0 = torch.func.functional_call(module, {'weight_ih_l0': x1, 'weight_hh_l0': x2, 'weight_ih_l1': x3, 'weight_hh_l1': x4}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([8, 2], dtype=torch.float32), torch.zeros([3, 2], dtype=torch.float32), torch.zeros([3, 3], dtype=torch.float32), torch.zeros([3, 3], dtype=torch.float32), torch.zeros([3, 3], dtype=torch.float32))
a = torch.export.Dim('a', min=1)
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a}
dynamic_shapes[example[1]] = {}
dynamic_shapes[example[2]] = {}
dynamic_shapes[example[3]] = {}
dynamic_shapes[example[4]] = {}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666], dtype=torch.float32).reshape((1, 2)), torch.tensor([-2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536], dtype=torch.float32).reshape((3, 2)), torch.tensor([-0.7192575931549072, -0.40334352850914, -0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294], dtype=torch.float32).reshape((3, 3)), torch.tensor([0.3731146454811096, -0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32).reshape((3, 3)), torch.tensor([-1.2904350757598877, -0.7911027073860168, -0.02087947353720665, -0.7184800505638123, 0.5186367630958557, -1.3125219345092773, 0.1919950693845749, 0.5427713394165039, -2.2187793254852295], dtype=torch.float32).reshape((3, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
