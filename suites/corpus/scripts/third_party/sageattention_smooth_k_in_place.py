# sageattention 1.0.6, sageattn and sageattn_varlen: with smooth_k, the default, the mean is taken off the caller's own keys
# (`k -= km`): a cache, or keys that are used again, hold other numbers after the call. Exits 1 while the bug is there, 0
# when it is gone, 2 without sageattention: EAGERDIFF_SAGEATTENTION=/folder/that/holds/sageattention.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_SAGEATTENTION", "."))
try:
    from sageattention.core import sageattn
except ImportError as error:
    sys.exit(print(f"needs sageattention: {error}") or 2)
import torch
class OnGpu(torch.Tensor):  # which it asks for
    is_cuda = True
x = torch.ones(1, 1, 128, 64).half()
keys = x.clone()
sageattn(x.as_subclass(OnGpu), keys.as_subclass(OnGpu), x.as_subclass(OnGpu))
print(f"keys of 1 are {keys.unique().tolist()}")
sys.exit(not torch.equal(keys, x))
