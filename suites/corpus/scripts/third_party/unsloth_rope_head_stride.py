# unsloth at 015bdef, Fast_RoPE_Embedding_QK: queries and keys that are not contiguous are cloned, and a clone keeps the
# order of the strides; the kernel takes the elements of a head to lie side by side. Where they do not, it turns others,
# which other programs turn too: a race, and wrong, silently. Heads of 4 at 3 positions show it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without unsloth: EAGERDIFF_UNSLOTH=/folder/that/holds/unsloth.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.environ.get("EAGERDIFF_UNSLOTH", ".")
if not os.path.exists(f"{root}/unsloth/kernels/rope_embedding.py"):
    sys.exit(print(f"needs unsloth: no {root}/unsloth/kernels/rope_embedding.py") or 2)
import torch, triton
def put(name, **attributes):  # in place of what asks for a GPU, or patches transformers
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes)
put("unsloth", __path__=[f"{root}/unsloth"])
put("unsloth.kernels", __path__=[f"{root}/unsloth/kernels"])
put("unsloth.kernels.utils", calculate_settings=lambda n: (triton.next_power_of_2(n), 4), MAX_FUSED_SIZE=65536,
    torch_gpu_device=lambda _: contextlib.nullcontext(), triton_tanh=None, triton_cast=lambda value, _: value, is_cdna=lambda: False,
    torch_device_stream=None)
put("transformers.models.llama.modeling_llama", LlamaRMSNorm=torch.nn.Module, logger=None)
put("unsloth_zoo.utils", Version=str)
put("unsloth_zoo.loss_utils", patch_loss_functions=None, post_patch_loss_function=None)
put("unsloth_zoo.patching_utils", patch_layernorm=None)
put("unsloth.device_type", DEVICE_COUNT=1)
from unsloth.kernels.rope_embedding import Fast_RoPE_Embedding_QK
torch.manual_seed(0)
q, k = torch.randn(2, 1, 1, 4, 3).transpose(3, 4).unbind()
angles = torch.arange(3.0)[:, None] * torch.tensor([1.0, 0.1])
cos, sin = angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)
wanted = q * cos + torch.cat((-q[..., 2:], q[..., :2]), -1) * sin
found = Fast_RoPE_Embedding_QK.apply(q, k, cos, sin, torch.arange(3, dtype=torch.int32)[None])[0]
print("error", (found - wanted).abs().max().item())
sys.exit(not torch.allclose(found, wanted, atol=1e-5))
