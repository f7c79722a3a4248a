# backed_size_oblivious: split of a tensor without rows: eager gives one empty piece, tracing raises IndexError (list
# assignment index out of range); without the setting it compiles.
import sys
import torch

def reference(x):
    return torch.cat([piece * 2 for piece in x.split(4)])

def compiles(rows, oblivious):
    torch._dynamo.reset()
    with torch.fx.experimental._config.patch(backed_size_oblivious=oblivious):
        return torch.compile(reference, backend="eager", fullgraph=True, dynamic=True)(torch.ones(rows, 2))

assert reference(torch.ones(0, 2)).shape == compiles(0, False).shape == (0, 2)
assert compiles(8, True).shape == (8, 2)
try:
    assert compiles(0, True).shape == (0, 2)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
