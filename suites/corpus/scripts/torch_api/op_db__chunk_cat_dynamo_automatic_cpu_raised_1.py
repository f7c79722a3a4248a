# torch_api, dynamo.automatic on cpu: RAISED UserError: Could not guard on data-dependent expression Ne(3*(((u0 + 2)//3)), u0) (unhinted: Ne(3*(((u0 + 2)//3)), u0)). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3, x4, x5):
    v0 = x0[x5]
    v1 = torch._chunk_cat([v0, x1, x2, x3, x4], 0, 3)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.5988394618034363, -1.5550950765609741, -0.3413603901863098, 1.85300612449646, 0.46809640526771545, -0.1577124446630478, 1.4436601400375366, 0.26604941487312317, 1.3893661499023438, 1.586334228515625, 0.946298360824585, -0.843676745891571, 0.9318265914916992, 1.2590092420578003, 2.0049805641174316, 0.05373690277338028], dtype=torch.float32).reshape((5, 2, 2)), torch.tensor([-0.8919953107833862, -1.5091077089309692, 0.3703935444355011, 1.4565025568008423, 0.9398099184036255, 0.7748488187789917, 0.19186942279338837, 1.2637947797775269], dtype=torch.float32).reshape((2, 2, 1, 2)), torch.tensor([-1.2904350757598877, -0.7911027073860168, -0.02087947353720665, -0.7184800505638123], dtype=torch.float32).reshape((2, 2)), torch.tensor([0.5186367630958557, -1.3125219345092773, 0.1919950693845749, 0.5427713394165039, -2.2187793254852295, 0.2589845359325409, -1.0297021865844727, -0.5007584095001221], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([0.2733677327632904, -0.9180999994277954, -0.04042108729481697, 0.28811681270599365, -0.007537308149039745, -0.9144954681396484, -1.0885837078094482, -0.26659631729125977], dtype=torch.float32).reshape((2, 2, 2)), torch.tensor([False, False, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
