# triton_kernels (as vLLM 0.33 carries it), topk: of the logits' strides the rows' alone is passed on, and nothing is
# checked: logits that are transposed, or every other column of a wider matrix, are routed by other numbers, in silence.
# Exits 1 while the bug is there, 0 when it is gone, 2 without it: EAGERDIFF_TRITON_KERNELS=/folder/that/holds/triton_kernels.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_TRITON_KERNELS", "."))
try:
    import triton_kernels.topk as module
except ImportError as error:
    sys.exit(print(f"needs triton_kernels: {error}") or 2)
import torch
class Logits(torch.Tensor):  # in the place of triton_kernels' own class, which Triton's interpreter does not take
    shape_max = None
def wrapped(x, shape, shape_max):
    x = x.as_subclass(Logits)
    x.shape_max = shape_max
    return x
if hasattr(module, "Tensor"):
    module.Tensor = type("Wrapper", (type,), {"__instancecheck__": lambda cls, x: isinstance(x, Logits),
                                              "__call__": lambda cls, *args, **kw: wrapped(*args, **kw)})("Tensor", (), {})
torch.manual_seed(0)
logits = torch.randn(32, 16)[:, ::2]
found = module.topk(logits, 2)[1].sort(dim=1).values.long()
wrong = (found != logits.topk(2, dim=1).indices.sort(dim=1).values).any(dim=1).sum().item()
print(f"{wrong} of 32 tokens go elsewhere")
sys.exit(wrong > 0)
