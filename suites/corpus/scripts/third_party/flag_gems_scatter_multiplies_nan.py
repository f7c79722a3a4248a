# flag_gems 5.0.2, scatter(reduce="multiply"): a loop of compare-and-swap that ends when what it found equals what it had
# read, and NaN equals nothing: an element that is NaN and is multiplied (x of NaN, or a second time) is swapped for ever,
# and the kernel does not end. Exits 1 while the bug is there, 0 when it is gone, 2 without flag_gems:
# EAGERDIFF_FLAG_GEMS=/folder/that/holds/it.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib.util, signal, tempfile, types
root = os.path.join(os.environ.get("EAGERDIFF_FLAG_GEMS", "."), "flag_gems")
if not os.path.exists(f"{root}/ops/scatter.py"):
    sys.exit(print(f"needs flag_gems: no {root}/ops/scatter.py") or 2)
import torch
def put(name, path=None, **attributes):  # of flag_gems the file of the kernel is imported, and nothing else
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, **({"__path__": [path]} if path else {}))
put("flag_gems", root, runtime=None, vendor_name="nvidia")
put("flag_gems.ops", f"{root}/ops")
put("flag_gems.utils", f"{root}/utils", libentry=lambda: lambda kernel: kernel)
put("flag_gems.utils.shape_utils", MemOverlap=None, has_internal_overlapping=None, restride_dim=None)
from flag_gems.ops.scatter import IndentedBuffer, generate_code
x, source, index = torch.tensor([float("nan")] * 512), torch.ones(512), torch.arange(512)
code = generate_code((source, index, x, x), "wrapper", "kernel", IndentedBuffer()).getvalue()
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/scatter.py", "w") as file:
        file.write(code)
    spec = importlib.util.spec_from_file_location("scatter", file.name)
    spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(print("does not end") or 1))
    signal.alarm(10)
    module.wrapper(source, index, x, x, 512, 1, 512, "multiply")
print("ends")
