# SGLang 0.5.23, decode_attention_fwd without grouped heads: q * k is taken in the inputs' dtype, and only then summed in
# float32. With one large column, as some models have, a key weighs 0.587 for 0.609; at 300 * 300 all is NaN.
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
def decode(q, keys):
    query, k, v, out = torch.zeros(1, 1, 128), torch.zeros(2, 1, 128), torch.zeros(2, 1, 128), torch.zeros(1, 1, 128).half()
    query[..., 0], k[:, 0, 0], v[1] = q, torch.tensor(keys), 1.0
    decode_attention_fwd(query.half(), k.half(), v.half(), out, torch.tensor([0, 2]).int(), torch.tensor([0, 1]),
        torch.empty(1, 1, 1, 128), torch.empty(1, 1, 1), torch.ones(1).int(), 1, 128**-0.5, 1.0, 1.0)
    return out[0, 0, 0].item(), (torch.tensor(keys) * q * 128**-0.5).softmax(0)[1].item()
found, right = decode(20.0, [400.25, 400.5])
large, one = decode(300.0, [300.0, 301.0])
print(f"{found:.4f} where {right:.4f} is right; {large} where {one:.4f} is right")
sys.exit(abs(found - right) > 0.01 or large != large)
