# executorch 1.5.1: XNNPACK's partitioner takes an einsum of two dynamic dims, and its serialiser raises that a reshape
# may have one: what is partitioned cannot be lowered. Without the partitioner it is lowered.
# Exits 1 while the bug is there, 0 when it is gone, 2 without executorch: make engines ENGINE=executorch.
import sys
import warnings
warnings.filterwarnings("ignore")
try:
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install executorch") or 2)
import torch
class Pool(torch.nn.Module):
    def forward(self, x):
        return torch.einsum("bsd,bs->bd", x, x.sum(2).softmax(1))
batch, seq = torch.export.Dim("batch", min=3, max=16), torch.export.Dim("seq", min=3, max=16)
program = torch.export.export(Pool(), (torch.ones(5, 4, 8),), dynamic_shapes=({0: batch, 1: seq},))
to_edge_transform_and_lower(program).to_executorch()
try:
    to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch()
except RuntimeError as error:
    sys.exit(print(f"RuntimeError: {error}") or 1)
