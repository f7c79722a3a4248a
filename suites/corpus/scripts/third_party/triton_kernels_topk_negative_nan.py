# triton_kernels (as vLLM 0.33 carries it), topk: a NaN whose sign bit is set ranks below -inf, which pads the experts to
# a multiple of 32: where fewer than k logits are others, a token goes to an expert that is not there, id 7 of 0 to 6.
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
logits = torch.randn(2, 7)
logits.view(torch.int32)[0, :6] = torch.tensor(-0x400000, dtype=torch.int32)  # what 0/0 gives on x86
ids = module.topk(logits, 2)[1]
print(f"{logits[0].tolist()} go to {ids[0].tolist()}")
sys.exit(int(ids.max()) > 6)
