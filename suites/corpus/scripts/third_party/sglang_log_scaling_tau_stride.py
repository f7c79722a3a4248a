# SGLang 0.5.23, apply_log_scaling_tau: reshaping tau to one dim keeps its stride, and the kernel reads the factors side
# by side: where tau is a column of a wider tensor, rows are scaled by what lies beside it, silently. What is said to
# have to be contiguous is x, not tau. Exits 1 while the bug is there, 0 when it is gone, 2 without sglang:
# EAGERDIFF_SGLANG=/folder/that/holds/sglang.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_SGLANG", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
for name in ("sglang", "sglang.kernels", "sglang.kernels.ops", "sglang.kernels.ops.elementwise", "sglang.kernels.jit"):
    put(name)
put("sglang.kernels.jit.utils", cache_once=lambda made: made,
    **dict.fromkeys(("is_arch_support_pdl", "load_jit", "make_cpp_args")))
try:
    from sglang.kernels.ops.elementwise.row_scale import apply_log_scaling_tau
except ImportError as error:
    sys.exit(print(f"needs sglang: {error}") or 2)
import torch
x, tau = torch.ones(2, 1), torch.tensor([[2.0, 5.0], [3.0, 5.0]])[:, :1]
found = apply_log_scaling_tau(x, tau)
print(f"{found.tolist()}, and {(x * tau).tolist()} is right")
sys.exit(not torch.equal(found, x * tau))
