# F.group_norm into as many groups as a tensor has channels, with dynamic=True: the number becomes a constant, and every size
# compiles again (the schema says int num_groups, and SymInt for every size beside it); instance_norm, the same, compiles once.
import sys
import torch
import torch.nn.functional as F
from torch._dynamo.testing import CompileCounter

def graphs(function):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, dynamic=True)
    for size in (5, 6, 7, 9):
        compiled(torch.ones(3, size, 4))
    return counter.frame_count

groups, instances = graphs(lambda x: F.group_norm(x, x.shape[1])), graphs(F.instance_norm)
if groups > instances:
    sys.exit(f"{groups} graphs for 4 sizes, {instances} of instance_norm")
