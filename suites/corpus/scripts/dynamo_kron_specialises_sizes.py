# torch.kron with dynamic=True: the sizes of both become constants, and every size compiles again (an unbacked size
# raises); the same product by einsum and reshape compiles once.
import sys
import torch

def graphs(program, calls):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=True)
    for call in calls:
        torch.testing.assert_close(compiled(*call), program(*call))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

calls = [(torch.randn(size), torch.randn(3)) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x, y: torch.kron(x, y), calls)
control = graphs(lambda x, y: (x[:, None] * y).reshape(-1), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of a product")
