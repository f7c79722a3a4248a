# mamba_ssm 2.3.2.post1, softplus.py, which _chunk_cumsum_fwd takes dt by: with Triton 3 it is log(exp(dt) + 1), so that
# what exp(dt) has below 1's last digit is lost: dt=-10 comes out right to 3 digits, dt=-15 to none, and dt=-17 as 0
# instead of 4e-8, its step forgotten. The line for Triton 2 beside it has log1p, as torch has.
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
    from mamba_ssm.ops.triton.ssd_chunk_state import _chunk_cumsum_fwd
except ImportError as error:
    sys.exit(print(f"needs mamba_ssm: {error}") or 2)
dt = torch.tensor([0.0, -5, -10, -13, -15, -17, -20])[None, :, None]  # [batch, seqlen, heads]
_, found = _chunk_cumsum_fwd(dt, -torch.ones(1), 16, dt_softplus=True)
wanted = torch.nn.functional.softplus(dt)[0, :, 0]
found = found[0, 0, 0, : len(wanted)]
print("relative errors:", ((found - wanted) / wanted).abs().tolist())
sys.exit(not torch.allclose(found, wanted, rtol=1e-5, atol=0))
