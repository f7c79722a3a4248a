# bitsandbytes 0.50.2, quantize_4bit of its Triton back end (Intel GPUs): the input is read in the order in which it lies
# in memory; nothing makes it contiguous, as quantize_blockwise beside it and the CUDA back end do. What is read back of a
# transposed weight is another matrix.
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
weight = torch.linspace(-1, 1, 128).view(64, 2).T
packed, absmax = quantize_4bit(weight, 64, "nf4", torch.uint8)
found = dequantize_4bit(packed, absmax[:2], 64, "nf4", weight.shape, torch.float32)
error = (found - weight).abs().max().item()
print(f"error {error}")
sys.exit(error > 0.2)
