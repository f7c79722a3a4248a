# x[index] with an integer tensor of no dims: where it is traced, indexing reads the number, which is then unbacked,
# and raises: for int64 in AOTAutograd, for int32 in Dynamo, and x.take(index) once decomposed (cf. pytorch#182345).
import sys
import torch

def reference(x, index):
    return x[index] + 1

x, failed = torch.randn(3, 4), []
for dtype in (torch.int32, torch.int64):
    index = torch.tensor(2, dtype=dtype)
    torch._dynamo.reset()
    try:
        got = torch.compile(reference, backend="aot_eager", fullgraph=True)(x, index)
        assert torch.equal(got, reference(x, index))
    except Exception as error:
        failed.append(f"{dtype}: {type(error).__name__}: {str(error)[:150]}")
if failed:
    sys.exit("\n".join(failed))
