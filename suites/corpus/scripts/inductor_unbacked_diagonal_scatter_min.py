# diagonal_scatter above the main diagonal with unbacked sizes: Inductor asks for the smaller of two sizes that it does not
# know, "TypeError: evaluate_min(u0, u1 - 1) with unbacked symints"; AOTAutograd's decompositions compile it.
import sys
import torch

def scatter(x, values):
    return x.diagonal_scatter(values, 1)

def compiled(backend):
    torch._dynamo.reset()
    x, values = torch.ones(5, 6), torch.zeros(5)
    for tensor, dim in ((x, 0), (x, 1), (values, 0)):
        torch._dynamo.decorators.mark_unbacked(tensor, dim)
    return torch.compile(scatter, backend=backend, fullgraph=True)(x, values)

expected = scatter(torch.ones(5, 6), torch.zeros(5))
assert torch.equal(compiled("aot_eager_decomp_partition"), expected)
try:
    got = compiled("inductor")
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error).splitlines()[0]}")
assert torch.equal(got, expected)
