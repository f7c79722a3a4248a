# torch_api, aot_eager.oblivious on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: AssertionError: 0 not in VR[1, 2]
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.MultiheadAttention(embed_dim=3, num_heads=3, batch_first=True, bias=True, add_bias_kv=True, add_zero_attn=True).train()

def program(x0, x1, x2, x3, x4, x5, x6, x7, x8):
    v0 = torch.func.functional_call(module, {'in_proj_weight': x3, 'in_proj_bias': x4, 'bias_k': x5, 'bias_v': x6, 'out_proj.weight': x7, 'out_proj.bias': x8}, (x0, x1, x2), {})
    return parts(v0)
reference = program
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled

calls = [
    ((torch.tensor([], dtype=torch.float32).reshape((0, 3)), torch.tensor([], dtype=torch.float32).reshape((0, 3)), torch.tensor([], dtype=torch.float32).reshape((0, 3)), torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.26604941487312317, 0.16645534336566925, 0.8743818402290344, -0.14347384870052338, -0.1116093322634697, -0.6135830879211426, 0.03159274160861969, -0.4926769733428955, 0.05373690277338028, 0.6180566549301147, -0.41280221939086914, -0.8410648107528687, -2.316041946411133, -0.10230965167284012, 0.7924439907073975, -0.28966769576072693], dtype=torch.float32).reshape((9, 3)), torch.tensor([-0.22511571645736694, 2.3466382026672363, -1.1088484525680542, 1.6253527402877808, 1.2333362102508545, -0.18318551778793335, -1.3140254020690918, -1.6894433498382568, 1.252506971359253], dtype=torch.float32), torch.tensor([-0.5545191168785095, 0.3019222617149353, 1.1294931173324585], dtype=torch.float32).reshape((1, 1, 3)), torch.tensor([1.717895269393921, -0.8507241010665894, -0.848639190196991], dtype=torch.float32).reshape((1, 1, 3)), torch.tensor([-0.1847800463438034, -1.193757176399231, -0.22327406704425812, -1.2705765962600708, 0.019330641254782677, 0.8868377804756165, 0.05517140030860901, 0.6880378127098083, 1.2326245307922363], dtype=torch.float32).reshape((3, 3)), torch.tensor([1.158001184463501, 0.16727691888809204, -1.5773450136184692], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
