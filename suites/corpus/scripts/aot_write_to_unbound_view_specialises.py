# In-place writes to the parts that unbind gives, with dynamic=True: AOTAutograd makes constants of the sizes, and every size
# compiles again; Dynamo alone, and a write to the whole, compile once.
import sys
import torch
from torch._dynamo.utils import counters

def graphs(function):
    torch._dynamo.reset()
    counters.clear()
    compiled = torch.compile(function, backend="aot_eager", dynamic=True)
    for size in (5, 6, 7, 9):
        compiled(torch.ones(2, size))
    return counters["stats"]["unique_graphs"]

def parts(x):
    x = x.clone()
    for part in x.unbind(0):
        part.add_(1)
    return x

unbound, whole = graphs(parts), graphs(lambda x: x.clone().add_(1))
if unbound > whole:
    sys.exit(f"{unbound} graphs for 4 sizes, {whole} of a write to the whole")
