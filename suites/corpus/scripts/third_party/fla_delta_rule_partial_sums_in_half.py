# fla-core 0.6.0, backward of fused_recurrent_delta_rule: gradients of queries, keys and beta are summed in blocks of 32
# values, and each block's part is rounded to the dtype of q before the parts are added (ops/common/fused_recurrent.py
# keeps them in float32). Parts that cancel leave their rounding: here 32 + 1/64 - 32 is 0, in float16.
# Exits 1 while the bug is there, 0 when it is gone, 2 without fla-core: EAGERDIFF_FLA=/folder/that/holds/fla (with
# einops).
import contextlib, os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
import torch, triton
from triton.backends.compiler import GPUTarget
target = GPUTarget("cpu", 0, 32)
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
torch.cuda.device = lambda device: contextlib.nullcontext()
sys.path.insert(0, root := os.environ.get("EAGERDIFF_FLA", "."))
for name in ("fla.ops", "fla.modules", "fla.ops.delta_rule"):  # without what their __init__ imports
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
try:
    from fla.ops.delta_rule.fused_recurrent import fused_recurrent_delta_rule
except ImportError as error:
    sys.exit(print(f"needs fla-core: {error}") or 2)
state = torch.ones(1, 1, 1, 64, dtype=torch.float16)
state[..., :16] += 2**-10
state[..., 32:] = -1
state.requires_grad_()
q = torch.ones(1, 1, 1, 1, dtype=torch.float16, requires_grad=True)
k, v, beta = torch.zeros_like(q), torch.zeros(1, 1, 1, 64).half(), torch.zeros(1, 1, 1).half()
fused_recurrent_delta_rule(q, k, v, beta, initial_state=state)[0].sum().backward()  # each output is q · state
print(f"{q.grad.item()}, and {state.sum(dtype=torch.float32).item()} is right")
sys.exit(q.grad.item() != 1 / 64)
