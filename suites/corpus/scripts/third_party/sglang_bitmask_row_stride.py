# SGLang 0.5.23, apply_token_bitmask_inplace_triton: the number of columns is given for the stride between rows. Logits
# that are part of wider rows (a padded vocabulary, cut) are masked in the wrong places: here the second row stays as it
# was, and the padding of the first one is written.
# Exits 1 while the bug is there, 0 when it is gone, 2 without sglang: EAGERDIFF_SGLANG=/folder/that/holds/sglang.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_SGLANG", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
for name in ("sglang", "sglang.kernels", "sglang.kernels.ops", "sglang.kernels.ops.grammar", "sglang.srt"):
    put(name)
put("sglang.srt.utils", get_device_core_count=lambda: 4)
try:
    from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton
except ImportError as error:
    sys.exit(print(f"needs sglang: {error}") or 2)
import torch
padded, none_allowed = torch.zeros(2, 64), torch.zeros(2, 1, dtype=torch.int32)
apply_token_bitmask_inplace_triton(padded[:, :32], none_allowed)
print("masked, by row:", padded[:, :32].isneginf().sum(1).tolist(), "of the padding:", padded[:, 32:].isneginf().sum(1).tolist())
sys.exit(not bool(padded[:, :32].isneginf().all()) or bool(padded[:, 32:].any()))
