# SGLang 0.5.23, decode_attention_fwd: with more than 16 query heads a key-value head, and no multiple of 16, tiles of 16
# heads run across the borders of groups: 29 heads each (Falcon-180B has as many), heads 29 to 31 read the first's keys.
# Exits 1 while the bug is there, 0 when it is gone, 2 without its source: EAGERDIFF_SGLANG=/folder/that/holds/sglang.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_SGLANG", "."), "sglang")
if not os.path.exists(f"{root}/kernels/ops/attention/decode_attention.py"):
    sys.exit(print(f"needs SGLang's source: no {root}/kernels/ops/attention/decode_attention.py") or 2)
import torch
def put(name, path=None, **attributes):  # of SGLang the files of the kernel are imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
for name in ("", "srt", "kernels", "kernels/ops", "kernels/ops/attention"):
    put(".".join(["sglang", *filter(None, name.split("/"))]), os.path.join(root, name))
put("sglang.srt.environ", envs=None)
no = lambda *args: False
put("sglang.srt.utils", is_hip=no, is_gfx95_supported=no, is_gfx1250_supported=no, get_device_core_count=no)
from sglang.kernels.ops.attention.decode_attention import decode_attention_fwd
heads, group, dim = 58, 29, 64
torch.manual_seed(0)
query, keys, values = torch.randn(1, heads, dim).half(), torch.randn(8, 2, dim).half(), torch.randn(8, 2, dim).half()
out = torch.empty_like(query)
decode_attention_fwd(query, keys, values, out, torch.tensor([0, 8]).int(), torch.arange(8),
    torch.empty(1, heads, 1, dim), torch.empty(1, heads, 1), torch.ones(1).int(), 1, dim**-0.5, 1.0, 1.0)
k, v = (cache.float().repeat_interleave(group, 1) for cache in (keys, values))
right = torch.einsum("hs,shd->hd", (torch.einsum("hd,shd->hs", query[0].float(), k) * dim**-0.5).softmax(-1), v)
wrong = [head for head in range(heads) if (out[0, head].float() - right[head]).abs().max() > 0.01]
print(f"wrong heads: {wrong}")
sys.exit(bool(wrong))
