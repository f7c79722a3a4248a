# torch_api, dynamo.dynamic+lazy on cpu: RAISED InternalTorchDynamoError: RuntimeError: /__w/pytorch/pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:2398: SymIntArrayRef expected to contain only concrete integers
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)
module = torch.nn.Conv2d(4, 5, 3, padding='same').train()

def program(x0, x1, x2):
    v0 = torch.func.functional_call(module, {'weight': x1, 'bias': x2}, (x0,), {})
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
import inspect

def lazily(module, state):
    name = type(module).__name__
    kind = getattr(torch.nn, f'Lazy{name}')
    options = {one: getattr(module, one) for one in inspect.signature(kind).parameters if hasattr(module, one)}
    if 'bias' in options:
        options['bias'] = options['bias'] is not None
    dtypes = [value.dtype for value in state.values() if value.is_floating_point() or value.is_complex()]
    return kind(**options, **{'dtype': dtypes[0]} if dtypes else {}).train(module.training)

def build(settings):
    made = compiled = None

    @torch.no_grad()
    def loaded(state, args, options):
        nonlocal made, compiled
        if made is None:
            made = lazily(module, state)
            compiled = torch.compile(lambda *args, **options: made(*args, **options), **settings)
            compiled(*args, **options)
        made.load_state_dict(state, strict=False)
        result = compiled(*args, **options)
        for name, value in made.named_buffers():
            state[name].copy_(value)
        return result

    def call(x0, x1, x2):
        v0 = loaded({'weight': x1, 'bias': x2}, (x0,), {})
        return parts(v0)
    return call
compiled = build(dict(backend='eager', dynamic=True, fullgraph=True))
implementation = compiled

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-1.1258398294448853, -1.152360200881958, -0.2505785822868347, -0.4338788092136383, 0.8487103581428528, 0.6920091509819031, -0.31601276993751526, -2.1152193546295166, 0.32227492332458496, -1.2633347511291504, 0.34998318552970886, 0.30813392996788025, 0.11984150856733322, 1.237657904624939, 1.1167771816253662, -0.2472781538963318], dtype=torch.float32).reshape((4, 2, 2)), torch.randn(180, generator=G).to(torch.float32).reshape((5, 4, 3, 3)), torch.tensor([-2.67256498336792, -0.031332600861787796, 0.49878615140914917, -0.5233232378959656, -0.25147950649261475], dtype=torch.float32), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
