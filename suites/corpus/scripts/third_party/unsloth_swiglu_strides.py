# unsloth at 015bdef (and 2025.11.3), swiglu_fg_kernel and the five like it: all elements are read one behind the other,
# whatever the strides, of which nothing is said or asserted. A transposed gate beside a contiguous up gives products of
# other pairs, silently. 2 x 3 shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without unsloth: EAGERDIFF_UNSLOTH=/folder/that/holds/unsloth.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.environ.get("EAGERDIFF_UNSLOTH", ".")
if not os.path.exists(f"{root}/unsloth/kernels/swiglu.py"):
    sys.exit(print(f"needs unsloth: no {root}/unsloth/kernels/swiglu.py") or 2)
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
from unsloth.kernels.swiglu import swiglu_fg_kernel
torch.manual_seed(0)
gate, up = torch.randn(1, 3, 2).transpose(1, 2), torch.randn(1, 2, 3)
found, wanted = swiglu_fg_kernel(gate, up), torch.nn.functional.silu(gate) * up
print("error", (found - wanted).abs().max().item())
sys.exit(not torch.allclose(found, wanted, atol=1e-5))
