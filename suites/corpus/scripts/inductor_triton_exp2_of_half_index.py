# 2.0 ** -torch.arange(n, dtype=torch.float16), the slopes of ALiBi: Inductor's GPU code makes float16 of the index and calls
# libdevice.exp2 with it, which Triton has for float32 and float64 alone: no such kernel compiles. Shown in the code, no GPU.
import re, sys, types
import torch
import torch._inductor.config as config
from torch._inductor.utils import get_code
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
driver.set_active(types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", 90, 32)))

def powers(x):
    return x * 2.0 ** -torch.arange(x.shape[0], dtype=x.dtype)

with config.patch({"cpu_backend": "triton", "force_disable_caches": True, "compile_threads": 1}):
    code = "\n".join(get_code(torch.compile(powers, fullgraph=True), torch.ones(8, dtype=torch.float16)))
argument = re.search(r"libdevice\.exp2\((\w+)\)", code)
made = argument and re.search(rf"{argument[1]} = .*\.to\(tl\.float16\)$", code, re.MULTILINE)
if made:
    sys.exit(f"{made[0].strip()}; {argument[0]}")
