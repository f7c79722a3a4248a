# unsloth at 015bdef (and 2025.11.3), Fast_RMS_Layernorm: the backward pass stores the input's gradient over the gradient that
# it is given, which it takes to lie densely. That of a sum is one number, expanded: each program reads and writes
# behind it, out of bounds, and the gradient is another. Two rows show it (unsloth pull request 10617 mends it).
# Exits 1 while the bug is there, 0 when it is gone, 2 without unsloth: EAGERDIFF_UNSLOTH=/folder/that/holds/unsloth.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.environ.get("EAGERDIFF_UNSLOTH", ".")
if not os.path.exists(f"{root}/unsloth/kernels/rms_layernorm.py"):
    sys.exit(print(f"needs unsloth: no {root}/unsloth/kernels/rms_layernorm.py") or 2)
import torch, triton
def put(name, **attributes):  # in place of what asks for a GPU, or patches transformers
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes)
put("unsloth", __path__=[f"{root}/unsloth"])
put("unsloth.kernels", __path__=[f"{root}/unsloth/kernels"])
put("unsloth.kernels.utils", calculate_settings=lambda n: (triton.next_power_of_2(n), 4), MAX_FUSED_SIZE=65536,
    torch_gpu_device=lambda _: contextlib.nullcontext(), triton_tanh=None, triton_cast=lambda value, _: value, is_cdna=lambda: False)
put("transformers.models.llama.modeling_llama", LlamaRMSNorm=torch.nn.Module, logger=None)
put("unsloth_zoo.utils", Version=str)
put("unsloth_zoo.loss_utils", patch_loss_functions=None, post_patch_loss_function=None)
put("unsloth_zoo.patching_utils", patch_layernorm=None)
from unsloth.kernels.rms_layernorm import Fast_RMS_Layernorm
torch.manual_seed(0)
x, weight = torch.randn(2, 8, requires_grad=True), torch.ones(8)
behind = torch.ones(64)  # a memory of our own behind the one number
(found,) = torch.autograd.grad(Fast_RMS_Layernorm.apply(x, weight, 1e-6), x, behind[:1].expand(2, 8))
(wanted,) = torch.autograd.grad(torch.nn.functional.rms_norm(x, (8,), weight, 1e-6), x, torch.ones(2, 8))
written = int((behind[1:] != 1).sum())
print(f"error {(found - wanted).abs().max().item()}, {written} elements behind the gradient written")
sys.exit(not torch.allclose(found, wanted, atol=1e-5) or written > 0)
