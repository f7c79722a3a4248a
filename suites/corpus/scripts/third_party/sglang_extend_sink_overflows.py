# SGLang 0.5.23, extend_attention_fwd with sinks and lse_extend: exp(sink - maximum) overflows where every score is 89 or
# more below the sink, and the log-sum-exp is infinite: parts that are merged by it lose all their weight to this one.
# Exits 1 while the bug is there, 0 when it is gone, 2 without its source: EAGERDIFF_SGLANG=/folder/that/holds/sglang.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.path.join(os.environ.get("EAGERDIFF_SGLANG", "."), "sglang")
if not os.path.exists(f"{root}/kernels/ops/attention/extend_attention.py"):
    sys.exit(print(f"needs SGLang's source: no {root}/kernels/ops/attention/extend_attention.py") or 2)
import torch
def put(name, path=None, **attributes):  # of SGLang the files of the kernel are imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
for name in ("", "srt", "kernels", "kernels/ops", "kernels/ops/attention"):
    put(".".join(["sglang", *filter(None, name.split("/"))]), os.path.join(root, name))
put("sglang.srt.environ", envs=None)
no = lambda *args: False
put("sglang.srt.utils", is_cuda=no, is_hip=no, is_gfx95_supported=no, is_gfx1250_supported=no, get_device_core_count=no)
from sglang.kernels.ops.attention.extend_attention import extend_attention_fwd
query, keys, out, lse = torch.zeros(1, 1, 16), torch.zeros(1, 1, 16), torch.zeros(1, 1, 16).half(), torch.zeros(1, 1)
query[..., 0], keys[..., 0] = 10.0, -10.0  # the only score is -100
nothing = torch.zeros(2).int()
extend_attention_fwd(query.half(), keys.half(), keys.half(), out, keys.half(), keys.half(), torch.tensor([0, 1]).int(),
    nothing, nothing[:0].long(), None, True, None, 1, 1.0, 1.0, sm_scale=1.0, sinks=torch.zeros(1), lse_extend=lse)
print(f"log-sum-exp {lse.item()} where 0.0 is right")
sys.exit(abs(lse.item()) > 0.01)
