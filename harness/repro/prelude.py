"""What a script needs to run the code that Inductor writes for GPUs where there is no GPU, and what where there is."""

INTERPRETER = """
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
"""
"""For the interpreted device: an offline driver, a libdevice of numpy functions, Inductor's GPU back end."""

ON_GPU = """
if not torch.cuda.is_available():
    sys.exit(print("needs an NVIDIA GPU") or 2)
def on_gpu(x):
    if not isinstance(x, torch.Tensor):
        return x
    moved, storage = torch.empty(0, dtype=x.dtype, device="cuda"), x.untyped_storage().cuda()
    return moved.set_(storage, x.storage_offset(), x.size(), x.stride())
"""
"""For a GPU: moves a tensor with its strides; a script that finds none is no answer."""
