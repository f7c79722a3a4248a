# conch 1.3, mixed_precision_gemm and scaled_gemm: neither matrix is masked past the inner size. Where 64 does not divide
# it, the rest of the last block is that of the next row of the left one times what lies behind the right one: sums with
# memory that is not theirs. strict=True checks other sizes, not this one; columns of the right one are not masked either.
# Exits 1 while the bug is there, 0 when it is gone, 2 without conch: EAGERDIFF_CONCH=/folder/that/holds/conch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_CONCH", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
for name in ("conch", "conch.kernels", "conch.kernels.quantization", "conch.ops", "conch.ops.quantization"):
    put(name)
put("conch.platforms", current_platform=types.SimpleNamespace(is_amd=lambda: False, is_nvidia=lambda: True))
try:
    from conch.ops.quantization.gemm import mixed_precision_gemm
except ImportError as error:
    sys.exit(print(f"needs conch: {error}") or 2)
import torch
room, words = torch.ones(9000, dtype=torch.float16), torch.full((9000,), -0x66666667, dtype=torch.int32)  # each 4 bits: 9
a, packed, scales = room[:320].view(4, 80), words[:640].view(10, 64), torch.ones(1, 64, dtype=torch.float16)
found = mixed_precision_gemm(a, packed, scales, None, 4, 8, 80, strict=True)  # what lies behind is ours here, and 1
print(found[0, 0].item(), "in place of", 80.0)
sys.exit(not bool((found == 80).all()))
