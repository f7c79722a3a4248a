# mamba_ssm 2.3.2.post1, selective_state_update: D and dt_bias are None by default, and a call without either raises
# before anything is launched: `*(…) if D is not None else 0` unpacks 0, and the strides of dt_bias are asked for. Exits
# 1 while the bug is there, 0 when it is gone, 2 without mamba_ssm: EAGERDIFF_MAMBA_SSM=/folder/that/holds/mamba_ssm
# (with einops).
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: GPUTarget("cuda", 90, 32)))
torch.cuda.device = lambda device: contextlib.nullcontext()
sys.path.insert(0, root := os.environ.get("EAGERDIFF_MAMBA_SSM", "."))
for name in ("mamba_ssm", "mamba_ssm.ops", "mamba_ssm.ops.triton"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from mamba_ssm.ops.triton.selective_state_update import selective_state_update
except ImportError as error:
    sys.exit(print(f"needs mamba_ssm: {error}") or 2)
torch.manual_seed(0)
state, x, dt = torch.zeros(2, 4, 8), torch.randn(2, 4), torch.rand(2, 4)
A, B, C = -torch.rand(4, 8), torch.randn(2, 8), torch.randn(2, 8)
right = (dt * x)[..., None] * B[:, None] @ C[..., None]
try:
    found = selective_state_update(state, x, dt, A, B, C)
except (TypeError, AttributeError) as error:
    sys.exit(print(f"raises {error}") or 1)
sys.exit(not torch.allclose(found, right[..., 0], atol=1e-5))
