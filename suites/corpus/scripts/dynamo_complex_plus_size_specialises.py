# A complex tensor that is not contiguous, plus (or minus, or times) one of its sizes, with dynamic=True: the size becomes a constant,
# and every size compiles again; torch.export refuses the Dim. Contiguous, or real, it compiles once.
import sys
import torch
from torch._dynamo.testing import CompileCounter

def compiles(transposed, dtype):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(lambda x: x + x.size(1), backend=counter, dynamic=True, fullgraph=True)
    for size in (4, 6, 8):
        x = torch.ones(size, 9, dtype=dtype).t() if transposed else torch.ones(9, size, dtype=dtype)
        assert torch.equal(compiled(x), x + size)
    return counter.frame_count

assert compiles(True, torch.float32) == compiles(False, torch.complex64) == 1
if (count := compiles(True, torch.complex64)) > 1:
    sys.exit(f"{count} compiles for 3 sizes")
