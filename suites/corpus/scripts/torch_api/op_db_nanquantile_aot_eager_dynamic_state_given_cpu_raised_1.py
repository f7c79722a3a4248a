# torch_api, aot_eager.dynamic+state_given on cpu: RAISED TorchRuntimeError: RuntimeError when making fake tensor call: RuntimeError: InferenceMode::is_enabled() && self.is_inference() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/native/VariableMethodStubs.cpp":66, please report a
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0, x1):
    v0 = torch.nanquantile(x0, x1)
    return parts(v0)

def program(x0, x1):
    outputs, tangents = torch.func.jvp(lambda x0, x1: inner(x0, x1), (x0, x1), tuple(map(torch.ones_like, (x0, x1))))
    return (*outputs, *tangents)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True

class Holding(torch.nn.Module):

    def __init__(self):
        super().__init__()
        for name in ['x1']:
            self.register_buffer(name, torch.zeros(()))

    def forward(self, x0):
        x1 = self.x1
        outputs, tangents = torch.func.jvp(lambda x0, x1: inner(x0, x1), (x0, x1), tuple(map(torch.ones_like, (x0, x1))))
        return (*outputs, *tangents)

def build(settings):
    module = Holding()

    def call(state, x0):
        return torch.func.functional_call(module, state, (x0,))
    compiled = torch.compile(call, **settings)
    return lambda x0, x1: compiled({'x1': x1}, x0)
compiled = build(dict(backend='aot_eager', dynamic=True, fullgraph=True))
implementation = compiled

calls = [
    ((torch.tensor([1.5409960746765137], dtype=torch.float32).reshape(()), torch.tensor([0.46006518602371216, 0.6190756559371948], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
