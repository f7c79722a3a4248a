# flag_gems 5.0.2, group_norm: a tile has a power of two of a group's channels, and the mask asks for the last channel
# of all instead of the group's last. With 3 channels a group, each but the last takes in the next group's first
# channel: mean and variance are wrong, and two programs store the same output.
# Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems: EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import contextlib, re, tempfile, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/groupnorm.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/groupnorm.py") or 2)
import torch, triton.language as tl
def put(name, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes)
put("flag_gems")
put("flag_gems.runtime", torch_device_fn=types.SimpleNamespace(device=lambda _: contextlib.nullcontext()))
put("flag_gems.utils", libentry=lambda: lambda kernel: kernel, triton_lang_extension=tl,
    tl_extra_shim=types.SimpleNamespace(rsqrt=lambda x: 1 / tl.sqrt(x)))
with tempfile.TemporaryDirectory() as folder, open(f"{folder}/groupnorm.py", "w") as file:
    # Triton's interpreter takes Python's `and` of two blocks for the second.
    file.write(re.sub(r"mask = (.*) and (.*)", r"mask = (\1) & (\2)", open(f"{root}/ops/groupnorm.py").read()))
    file.flush()
    sys.path.insert(0, folder)
    from groupnorm import group_norm
    x = torch.arange(18.0).view(1, 6, 3)
    found, mean, _ = group_norm(x, None, None, 1, 6, 3, 2)
print("means", mean.tolist(), "wanted", [[4.0, 13.0]])
sys.exit(not torch.allclose(found, torch.nn.functional.group_norm(x, 2), atol=1e-4))
