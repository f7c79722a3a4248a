# torch_api, export.collection on cpu: DID_NOT_RAISE eager raises ValueError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.BatchNorm1d(10, track_running_stats=None).eval()

def program(x0, x1, x2, x3, x4, x5):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
example = (torch.zeros([8, 10], dtype=torch.float32), torch.zeros([10], dtype=torch.float32), torch.zeros([10], dtype=torch.float32), torch.zeros([10], dtype=torch.float32), torch.zeros([10], dtype=torch.float32), torch.zeros([], dtype=torch.int64))
a = torch.export.Dim('a')
dynamic_shapes = torch.export.ShapesCollection()
dynamic_shapes[example[0]] = {0: a}
dynamic_shapes[example[1]] = {}
dynamic_shapes[example[2]] = {}
dynamic_shapes[example[3]] = {}
dynamic_shapes[example[4]] = {}
dynamic_shapes[example[5]] = {}

class Exported(torch.nn.Module):

    def forward(self, *args):
        return program(*args)
options = dict(dynamic_shapes=dynamic_shapes, strict=False)
exported = torch.export.export(Exported(), example, **options)
implementation = exported.module()

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991, -1.0845223665237427, -1.3985954523086548, 0.40334683656692505, 0.8380263447761536, -0.7192575931549072, -0.40334352850914], dtype=torch.float32).reshape((1, 10)), torch.tensor([-0.5966353416442871, 0.18203648924827576, -0.8566746115684509, 1.1006041765213013, -1.0711873769760132, 0.1227012425661087, -0.5663174986839294, 0.3731146454811096, -0.8919953107833862, -1.5091077089309692], dtype=torch.float32), torch.tensor([0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269, -1.2904350757598877, -0.7911027073860168, -0.02087947353720665, -0.7184800505638123], dtype=torch.float32), torch.tensor([0.5186367630958557, -1.3125219345092773, 0.1919950693845749, 0.5427713394165039, -2.2187793254852295, 0.2589845359325409, -1.0297021865844727, -0.5007584095001221, 0.2733677327632904, -0.9180999994277954], dtype=torch.float32), torch.tensor([0.1404210925102234, 0.3881168067455292, 0.10753730684518814, 1.0144954919815063, 1.1885837316513062, 0.3665963113307953, 0.28942346572875977, 0.3190228044986725, 2.1575911045074463, 0.13542188704013824], dtype=torch.float32), torch.tensor([0], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    try:
        reference(*copy.deepcopy(args), **options)
    except Exception as error:
        try:
            implementation(*args, **options)
        except Exception:
            continue
        sys.exit(f"call {number} raises in eager ({error}) and not when compiled")
    implementation(*args, **options)
