# flash-attn at 0251105 (and 2.8.3), cross_entropy_loss: logits are made contiguous where they must be, labels are not,
# and the kernel reads row r's label r elements behind the first. Labels that are a column (`tokens[:, 1]`) give losses
# and gradients of other labels, silently. Two rows show it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flash-attn: EAGERDIFF_FLASH_ATTN=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, importlib.util
path = os.path.join(os.environ.get("EAGERDIFF_FLASH_ATTN", "."), "flash_attn/ops/triton/cross_entropy.py")
if not os.path.exists(path):
    sys.exit(print(f"needs flash-attn: no {path}") or 2)
import torch
if not torch.cuda.is_available():
    torch.cuda.device = lambda _: contextlib.nullcontext()
spec = importlib.util.spec_from_file_location("cross_entropy", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
torch.manual_seed(0)
logits, tokens = torch.randn(5, 7), torch.randint(0, 7, (5, 3), dtype=torch.int32)
labels = tokens[:, 1]
found, _ = module.cross_entropy_loss(logits, labels)
wanted = torch.nn.functional.cross_entropy(logits, labels.long(), reduction="none")
print("found ", found.tolist(), "\nwanted", wanted.tolist())
sys.exit(not torch.allclose(found, wanted, atol=1e-5))
