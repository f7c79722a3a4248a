# x[i] with an integer tensor of no dims on the CPU, such as a position: Dynamo guards on its value ("i.item() == 3"), dynamic
# sizes or not, so that every position compiles again; index_select, the same, compiles once.
import sys
import torch
from torch._dynamo.testing import CompileCounter

def graphs(function):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, dynamic=True)
    for position in (2, 3, 4, 5):
        compiled(torch.arange(9.0), torch.tensor(position))
    return counter.frame_count

indexed, selected = graphs(lambda x, i: x[i]), graphs(lambda x, i: x.index_select(0, i.reshape(1))[0])
if indexed > selected:
    sys.exit(f"{indexed} graphs for 4 positions, {selected} of index_select")
