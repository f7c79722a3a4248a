# triton.dense_indexing=True: in a reduction that loops, the load of one value a row is hoisted out of the loop and uses
# r0_mask, which is defined inside it: no such kernel compiles. Shown in the code; needs Triton, and no GPU.
import sys, types
import torch
import torch._inductor.config as config
from torch._inductor.utils import get_code
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
driver.set_active(types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", 90, 32)))

def early(dense):
    torch._dynamo.reset()
    x, row = torch.randn(64, 100000), torch.randn(64, 1)
    settings = {"triton.dense_indexing": dense, "force_disable_caches": True, "compile_threads": 1}
    with config.patch({"cpu_backend": "triton", **settings}):
        code = "\n".join(get_code(torch.compile(lambda x, row: (x - row).sum(-1), fullgraph=True), x, row))
    assert "for r0_offset in" in code, "no kernel with a loop"
    return [line.strip() for line in code.split("for r0_offset in")[0].splitlines() if "r0_mask" in line]

assert not early(dense=False)
if lines := early(dense=True):
    sys.exit(f"before the loop that defines r0_mask: {lines[0]}")
