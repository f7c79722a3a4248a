# unsloth at 015bdef (and 2025.11.3), Fast_RMS_Layernorm and Fast_Layernorm: rows are read at their stride, but the elements of a
# row, of the weight and of the bias side by side, whatever theirs (W_row_stride is given to the kernel and not used). A
# weight or an input that is every other element of a tensor is read as its beginning, silently. Width 2 shows it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without unsloth: EAGERDIFF_UNSLOTH=/folder/that/holds/unsloth.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.environ.get("EAGERDIFF_UNSLOTH", ".")
if not os.path.exists(f"{root}/unsloth/kernels/layernorm.py"):
    sys.exit(print(f"needs unsloth: no {root}/unsloth/kernels/layernorm.py") or 2)
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
from unsloth.kernels.layernorm import Fast_Layernorm
from unsloth.kernels.rms_layernorm import Fast_RMS_Layernorm
torch.manual_seed(0)
x, weight, bias, right = torch.randn(3, 8), torch.randn(8), torch.randn(8), True
norm, rms = torch.nn.functional.layer_norm, torch.nn.functional.rms_norm
for name, a, w, b in (("x", x[:, ::2], weight[:4], bias[:4]), ("weight", x[:, :4], weight[::2], bias[:4])):
    for found, wanted in (
        (Fast_RMS_Layernorm.apply(a, w, 1e-6), rms(a, (4,), w, 1e-6)),
        (Fast_Layernorm.apply(a, w, b, 1e-5), norm(a, (4,), w, b, 1e-5)),
    ):
        print(f"{name} every other element: error {(found - wanted).abs().max().item()}")
        right = right and torch.allclose(found, wanted, atol=1e-5)
sys.exit(not right)
