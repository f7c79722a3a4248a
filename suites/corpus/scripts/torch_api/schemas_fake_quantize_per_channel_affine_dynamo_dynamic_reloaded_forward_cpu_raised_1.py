# torch_api, dynamo.dynamic+reloaded_forward on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: aten::fake_quantize_per_channel_affine() Expected a value of type 'int' for argument 'quant_min' but instead found type 'FakeTensor'.\nPosition: 4\nValue: FakeTenso
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2, x3):
    v0 = torch.ops.aten.fake_quantize_per_channel_affine.default(x0, x1, x2, 1, x3, 1)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True

class Holding(torch.nn.Module):

    def __init__(self):
        super().__init__()
        for name in ['x1', 'x2', 'x3']:
            self.register_buffer(name, torch.zeros(()))

    def forward(self, x0):
        x1 = self.x1
        x2 = self.x2
        x3 = self.x3
        v0 = torch.ops.aten.fake_quantize_per_channel_affine.default(x0, x1, x2, 1, x3, 1)
        return parts(v0)

def put(module, name, value):
    delattr(module, name)
    if value.is_floating_point():
        module.register_parameter(name, torch.nn.Parameter(value, requires_grad=False))
    else:
        module.register_buffer(name, value)

def load(module, own, name, value):
    held = getattr(module, name)
    if not value.is_contiguous():
        own.discard(name)
        put(module, name, value)
    elif name in own and held.shape == value.shape:
        module.load_state_dict({name: value}, strict=False)
    else:
        own.add(name)
        put(module, name, value.clone())

def build(settings):
    module, own = (Holding(), set())
    compiled = torch.compile(module.forward, **settings)

    def loaded(x0, x1, x2, x3):
        state = {'x1': x1, 'x2': x2, 'x3': x3}
        for name, value in state.items():
            load(module, own, name, value)
        result = compiled(x0)
        for name in own:
            state[name].copy_(getattr(module, name))
        return result
    return loaded
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137, -0.293428897857666, -2.1787893772125244, 0.5684312582015991], dtype=torch.float32).reshape((2, 2)), torch.tensor([-1.0845223665237427, -1.3985954523086548], dtype=torch.float32), torch.tensor([0.40334683656692505, 0.8380263447761536], dtype=torch.float32), torch.tensor([1], dtype=torch.int64).reshape(()), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
