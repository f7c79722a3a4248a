# bitsandbytes 0.50.2, quantize_4bit of its Triton back end (Intel GPUs): blocks are counted in pairs, and the input is
# padded to whole blocks. Of an odd number of blocks there is one scale too many, and of a part of a block too many bytes:
# not what the operator's fake kernel (torch.compile's) and the other back ends give.
# Exits 1 while the bug is there, 0 when it is gone, 2 without bitsandbytes: EAGERDIFF_BITSANDBYTES=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, types
root = os.environ.get("EAGERDIFF_BITSANDBYTES", ".")
for name in ("bitsandbytes", "bitsandbytes.backends", "bitsandbytes.backends.triton"):
    sys.modules[name] = types.ModuleType(name)  # packages without what their __init__ runs
    sys.modules[name].__path__ = [os.path.join(root, *name.split("."))]
import torch
torch.accelerator.current_accelerator = lambda: torch.device("cpu")  # where it asks for a GPU
torch.cpu.device = lambda device: contextlib.nullcontext()
try:
    from bitsandbytes.backends.triton.ops import dequantize_4bit, quantize_4bit
except ImportError as error:
    sys.exit(print(f"needs bitsandbytes: {error}") or 2)
wrong = False
for count in (64, 70):
    packed, absmax = quantize_4bit(torch.randn(count), 64, "nf4", torch.uint8)
    found, right = (len(packed), len(absmax)), ((count + 1) // 2, -(count // -64))
    print(f"{count} numbers: bytes and scales {found} in place of {right}")
    wrong |= found != right
sys.exit(wrong)
