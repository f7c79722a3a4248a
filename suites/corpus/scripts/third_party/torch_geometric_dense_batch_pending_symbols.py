# torch_geometric 2.8.1, torch.compile with capture_scalar_outputs: to_dense_batch slices what it wrote to in place, to a size
# that it reads from data, and AOTAutograd finds a symbol in no output ("Pending unbacked symbols {u8, u9} not in returned outputs").
# In torch alone: n = int(b.max()) + 1; out = x.new_zeros(n + 1, 3) + 1; out.add_(1); return out[:n].
# Exits 1 while the bug is there, 0 when it is gone, 2 without torch_geometric (EAGERDIFF_TORCH_GEOMETRIC names a folder that holds it).
# Seen with torch 2.13.0; cf. pytorch#180595.
import os, sys
import torch
sys.path.insert(0, os.environ.get("EAGERDIFF_TORCH_GEOMETRIC", "."))
try:
    from torch_geometric.utils import to_dense_batch
except ImportError as error:
    sys.exit(print(f"needs torch_geometric: {error}") or 2)
torch._dynamo.config.capture_scalar_outputs = True
x, batch = torch.randn(9, 3), torch.tensor([0, 0, 1, 1, 1, 3, 3, 3, 3])
found = torch.compile(to_dense_batch, backend="aot_eager", dynamic=True)(x, batch)
sys.exit(not all(map(torch.equal, found, to_dense_batch(x, batch))))
