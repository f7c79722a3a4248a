# torch_api, inductor_triton.unbacked+hinted on interpreted: RAISED InterpreterError: ValueError('atomic_add does not support int16')
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import os
os.environ["TRITON_INTERPRET"] = "1"  # no GPU needed: Triton's interpreter runs the code that Inductor writes for GPUs
import math, types
import numpy as np
import torch._inductor.config, triton.language as tl
from torch._inductor.runtime import triton_compat, triton_helpers
from triton.backends.compiler import GPUTarget
from triton.runtime import driver, interpreter
class Libdevice:
    special = {"rsqrt": lambda x: 1 / np.sqrt(x), "erf": np.vectorize(math.erf, otypes=[float]), "pow": np.power}
    def of_torch(self, name):
        return lambda *given: getattr(torch.special, name)(*map(torch.from_numpy, given)).numpy()
    def __getattr__(self, name):
        def call(*args, **_):
            found = self.special.get(name) or getattr(np, name, None) or self.of_torch(name)
            data = found(*(x.handle.data for x in args))
            like = args[0].handle
            return tl.tensor(interpreter.TensorHandle(data.astype(like.data.dtype), like.dtype), args[0].type)
        return call
triton_compat.libdevice = triton_helpers.libdevice = Libdevice()
answers = {"get_current_target": GPUTarget("cuda", 90, 32), "get_current_device": 0, "get_current_stream": 0}
answers |= {"get_device_interface": torch.cpu, "set_current_device": None}
gpu = {"max_shared_mem": 232448, "multiprocessor_count": 132, "max_num_regs": 65536, "warpSize": 32}
utils = types.SimpleNamespace(get_device_properties=lambda _: gpu)
driver.set_active(types.SimpleNamespace(utils=utils, **{k: lambda *_, v=v: v for k, v in answers.items()}))
triton_helpers.set_driver_to_cpu = triton_helpers.set_driver_to_gpu = lambda: None
torch._inductor.config.cpu_backend, torch._inductor.config.compile_threads = "triton", 1


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0, x1, x2):
    v0 = torch.index_put(x0, (x1,), x2, accumulate=True)
    return parts(v0)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=None, fullgraph=True, options={'compile_threads': 1, 'cpu_backend': 'triton'})
MARKED = {}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, hint_override=64)
    return compiled(*args, **options)

calls = [
    ((torch.tensor([0, -1, 3, -2], dtype=torch.int16).reshape((2, 2)).data, torch.tensor([1, 1], dtype=torch.int64), torch.tensor([9, -1, 7, 1], dtype=torch.int16).reshape((2, 2)).data, ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
