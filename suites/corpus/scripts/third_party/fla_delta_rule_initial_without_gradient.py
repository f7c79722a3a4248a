# fla-core 0.6.0, backward of fused_recurrent_delta_rule: the initial state's gradient is not allocated where that state
# requires none, and is stored all the same: the kernel does not compile (here: None + offsets). A state that is not
# contiguous is copied first, without a gradient, so that it fails also where one is asked for.
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
torch.manual_seed(0)
q, k, v = (torch.randn(1, 3, 1, 2, requires_grad=True) for _ in range(3))
beta = torch.rand(1, 3, 1)
failed = 0
for said, initial in {
    "required": torch.randn(1, 1, 2, 2, requires_grad=True), "not required": torch.randn(1, 1, 2, 2),
    "of a transposed one": torch.randn(1, 1, 2, 2, requires_grad=True).mT,
}.items():
    try:
        out, state = fused_recurrent_delta_rule(q, k, v, beta, initial_state=initial, output_final_state=True)
        (out.sum() + state.sum()).backward()
        print(f"{said}: right")
    except Exception as error:
        failed = 1
        print(f"{said}: {error}")
sys.exit(failed)
