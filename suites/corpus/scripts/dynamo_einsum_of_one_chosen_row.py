# einsum over those of one row that a mask chooses (0 or 1 of them): the graph asserts that the row was chosen, u0 >= 1,
# and raises where it was not. Of two rows it is right, and bmm is. Seen with torch 2.13.0, cpu.
import sys
import torch

torch._dynamo.config.capture_dynamic_output_shape_ops = True

def reference(x, w):
    rows = torch.nonzero(x[:, 0] > 0)[:, 0]
    return torch.einsum("gan,anl->gal", x[rows].unflatten(1, (2, 4)), w)

w = torch.ones(2, 4, 5)
compiled = torch.compile(reference, fullgraph=True, backend="eager")
for x in (torch.ones(1, 8), -torch.ones(1, 8)):
    want = reference(x, w)
    try:
        got = compiled(x, w)
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
    assert torch.equal(got, want)
