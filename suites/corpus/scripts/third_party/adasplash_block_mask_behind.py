# adasplash 0.2.2, adasplash_v1 with varlen: the mask of blocks has a bit for every 16 rows there are, and a program stores
# four at a time, of rows past the last one, too (their scores are 0, above their threshold): into the next block of keys,
# and up to 3 bytes behind the mask. Exits 1 while the bug is there, 0 when it is gone, 2 without adasplash:
# EAGERDIFF_ADASPLASH=/folder/that/holds/adasplash.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_ADASPLASH", "."))
try:
    from adasplash import adasplash_v1
except ImportError as error:
    sys.exit(print(f"needs adasplash: {error}") or 2)
import torch
torch.manual_seed(0)
zeros, masks = torch.zeros, []
def with_more(shape, **options):
    options["device"] = "cpu"
    if options.get("dtype") is not torch.bool:
        return zeros(shape, **options)
    size = torch.Size(shape).numel()
    masks.append((zeros(size + 64, **options), size))
    return masks[0][0][:size].view(shape)
torch.zeros = with_more
query, keys, values = (torch.randn(1, 1, 77, 16) for _ in range(3))
adasplash_v1(query, keys, values, varlen=torch.tensor([77]).int())
found = masks[0][0][masks[0][1]:].sum().item()
print(f"{found} bytes behind the mask are set")
sys.exit(found > 0)
