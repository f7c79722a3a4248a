# mamba_ssm 2.3.2.post1, mamba_chunk_scan_combined in float16: within a chunk C · B is summed up in float32, and is cut
# to the dtype of x before it is multiplied by x: above 65504 it is infinite, and so is an output that torch has as 90.
# One step of one head shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without mamba_ssm:
# EAGERDIFF_MAMBA_SSM=/folder/that/holds/mamba_ssm (with einops).
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", 90, 32)))
triton.runtime.Autotuner._bench = lambda *args, **options: [1.0, 1.0, 1.0]  # the first configuration is taken
torch.cuda.device = lambda device: contextlib.nullcontext()
sys.path.insert(0, root := os.environ.get("EAGERDIFF_MAMBA_SSM", "."))
for name in ("mamba_ssm", "mamba_ssm.ops", "mamba_ssm.ops.triton"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from mamba_ssm.ops.triton.ssd_combined import mamba_chunk_scan_combined
except ImportError as error:
    sys.exit(print(f"needs mamba_ssm: {error}") or 2)
x = torch.full((1, 1, 1, 1), 0.001).half()  # [batch, seqlen, heads, headdim]
b = c = torch.full((1, 1, 1, 1), 300.0).half()  # [batch, seqlen, groups, dstate]
dt, a = torch.ones(1, 1, 1).half(), -torch.ones(1).half()
found = mamba_chunk_scan_combined(x, dt, a, b, c, 16).item()
wanted = (c.float() * b.float() * dt.float()[..., None] * x.float()).half().item()
print("found", found, "wanted", wanted)
sys.exit(not abs(found - wanted) < 0.01 * wanted)
