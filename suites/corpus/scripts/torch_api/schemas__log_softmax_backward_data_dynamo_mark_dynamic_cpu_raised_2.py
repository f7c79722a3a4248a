# torch_api, dynamo.mark_dynamic on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: The size of tensor a (3) must match the size of tensor b (s0: hint = 2) at non-singleton dimension 1)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = x1[x2]
    v1 = torch.ops.aten._log_softmax_backward_data.default(x0, v0, 1, 1)
    return parts(v1)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a'}, 1: {0: 'c + 3', 1: 'd'}, 2: {0: 'c + 3'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.mark_dynamic(tensor, dim)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([36.036712646484375, 10.863505363464355, -32.132904052734375, 49.45926284790039, -78.10441589355469, 179.93206787109375, -96.22005462646484, 10.809940338134766, 156.08555603027344, -101.14479064941406, 34.71112060546875, -62.10464859008789, 2.7981529235839844, -34.6918830871582, 7.861392021179199, 75.8482437133789, -150.0628204345703, 19.415443420410156, 146.01467895507812, -21.03663444519043, -10.510151863098145, -7.289806842803955, 18.07379913330078, 6.656540393829346, 52.025733947753906, 152.747314453125, 51.441890716552734, 29.581716537475586, 87.91880798339844, -15.897472381591797, 53.92396545410156, 83.26911926269531, 110.7138671875, 97.56080627441406, -59.449283599853516, -37.94961929321289, 26.856704711914062, 154.19369506835938, -0.4277348518371582, -118.06377410888672, -0.8007014393806458, 30.678796768188477, 164.83505249023438, 146.03883361816406, 47.13833236694336, 95.77423095703125, -41.43891906738281, -129.3529815673828], dtype=torch.float64).as_strided((16, 3), (1, 16)), torch.tensor([-80.21568298339844, 84.65341186523438, 87.11337280273438, 4.623362064361572, 26.35227394104004, 106.63450622558594, 38.27573776245117, -46.46494674682617, -47.12527084350586, 327.33355712890625, -191.24856567382812, 16.62401580810547, -22.965017318725586, -104.37389373779297, 44.21242141723633, 41.843650817871094], dtype=torch.float64).reshape((8, 2)), torch.tensor([True, False, True, True, False, True, True, False], dtype=torch.bool), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
