# unsloth at 015bdef (and 2025.11.3), Fast_CrossEntropyLoss: labels are read one behind the other, whatever their stride, and
# logits as if their columns lay side by side. Labels that are a column (`tokens[:, 1]`) give losses and gradients of
# other labels, silently. Two rows show it (unsloth pull request 10713 mends it).
# Exits 1 while the bug is there, 0 when it is gone, 2 without unsloth: EAGERDIFF_UNSLOTH=/folder/that/holds/unsloth.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.environ.get("EAGERDIFF_UNSLOTH", ".")
if not os.path.exists(f"{root}/unsloth/kernels/cross_entropy_loss.py"):
    sys.exit(print(f"needs unsloth: no {root}/unsloth/kernels/cross_entropy_loss.py") or 2)
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
from unsloth.kernels.cross_entropy_loss import Fast_CrossEntropyLoss
torch.manual_seed(0)
logits, labels = torch.randn(5, 7), torch.randint(0, 7, (5, 3))[:, 1]
wanted = torch.nn.functional.cross_entropy(logits, labels, reduction="none")
columns = torch.randn(5, 14)[:, ::2]
cases = {"labels": (logits, labels, wanted)}
cases["logits"] = (columns, labels.contiguous(), torch.nn.functional.cross_entropy(columns, labels, reduction="none"))
right = True
for name, (x, at, loss) in cases.items():
    found = Fast_CrossEntropyLoss.apply(x, at)
    print(name, "found", found.tolist(), "wanted", loss.tolist())
    right = right and torch.allclose(found, loss, atol=1e-5)
sys.exit(not right)
