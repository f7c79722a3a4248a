# x * (x.shape[0] / 3) in float64 with dynamic shapes is off by 8e-8 in Inductor's GPU code, and exact with static ones: the
# sizes are divided as integers, `(ks0 / 3).to(tl.float64)`, which Triton does in float32.
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
    def __getattr__(self, name):
        def call(*args, **_):
            data = (self.special.get(name) or getattr(np, name))(*(x.handle.data for x in args))
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

def scaled(x):
    return x * (x.shape[0] / 3)

x = torch.ones(7, dtype=torch.float64)
assert torch.equal(torch.compile(scaled, dynamic=False)(x), scaled(x))
torch._dynamo.reset()
got = torch.compile(scaled, dynamic=True)(x)
if not torch.equal(got, scaled(x)):
    sys.exit(f"{got[0].item()!r} where {scaled(x)[0].item()!r} is right")
