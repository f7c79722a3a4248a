# executorch 1.5.1: a Python float that a float64 tensor is multiplied by is rounded to float32, silently.
# Exits 1 while the bug is there, 0 when it is gone, 2 without executorch: make engines ENGINE=executorch.
import sys
import warnings
warnings.filterwarnings("ignore")
try:
    from executorch.exir import to_edge_transform_and_lower
    from executorch.runtime import Runtime
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install executorch") or 2)
import torch
class Scaled(torch.nn.Module):
    def forward(self, x):
        return x * 0.1
x = torch.ones(2, dtype=torch.float64)
lowered = to_edge_transform_and_lower(torch.export.export(Scaled(), (x,))).to_executorch()
found = Runtime.get().load_program(lowered.buffer).load_method("forward").execute([x])[0]
print(f"executorch gives {found[0].item()}, torch {Scaled()(x)[0].item()}")
sys.exit(not torch.equal(found, Scaled()(x)))
