# torch.linalg.multi_dot with dynamic=True: the sizes become constants, and every size compiles again; the same product
# written with @ compiles once.
import sys
import torch
from torch._dynamo.testing import CompileCounter

def graphs(function):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, dynamic=True)
    for size in (5, 6, 7, 9):
        compiled(torch.ones(size + 3, size), torch.ones(size, size + 1), torch.ones(size + 1, 3))
    return counter.frame_count

dot, product = graphs(lambda a, b, c: torch.linalg.multi_dot((a, b, c))), graphs(lambda a, b, c: a @ b @ c)
if dot > product:
    sys.exit(f"{dot} graphs for 4 sizes, {product} of a @ b @ c")
