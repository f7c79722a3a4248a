# unsloth at 015bdef, Fast_RoPE_Embedding: queries are reshaped to rows, which keeps their strides where it can, and the
# kernel takes the elements of a row to lie side by side. Where they do not, it turns others, which other programs turn
# too: a race, and wrong, silently. One head of 2 at 2 positions, transposed, shows it, forward and backward.
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
    torch_gpu_device=lambda _: contextlib.nullcontext(), triton_tanh=None, triton_cast=lambda value, _: value,
    is_cdna=lambda: False, torch_device_stream=None)
put("transformers.models.llama.modeling_llama", LlamaRMSNorm=torch.nn.Module, logger=None)
put("unsloth_zoo.utils", Version=str)
put("unsloth_zoo.loss_utils", patch_loss_functions=None, post_patch_loss_function=None)
put("unsloth_zoo.patching_utils", patch_layernorm=None)
put("unsloth.device_type", DEVICE_COUNT=1)
from unsloth.kernels.rope_embedding import Fast_RoPE_Embedding
torch.manual_seed(0)
q, gradient = torch.randn(2, 1, 2, 1, 2).transpose(2, 4).unbind()  # [batch, length, heads, width]
angles = torch.arange(2.0)[:, None] * torch.ones(1, 2)
cos, sin = angles.cos(), angles.sin()
turned = lambda x, sin: x * cos[:, None] + torch.cat((-x[..., 1:], x[..., :1]), -1) * sin[:, None]
wanted, wanted_gradient = turned(q, sin), turned(gradient, -sin)
x = q.clone().requires_grad_()
found = Fast_RoPE_Embedding.apply(x * 1, cos, sin)
found.backward(gradient.clone())
errors = (found - wanted).abs().max().item(), (x.grad - wanted_gradient).abs().max().item()
print("errors, forward and backward:", errors)
sys.exit(not max(errors) < 1e-5)
