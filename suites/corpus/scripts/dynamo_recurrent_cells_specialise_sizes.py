# torch.rnn_tanh_cell (gru_cell and lstm_cell alike) with dynamic=True: the numbers of features become constants, and
# every size compiles again; the same cell written with two linear layers compiles once.
import sys
import torch
import torch.nn.functional as F

def graphs(program, calls):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=True)
    for call in calls:
        torch.testing.assert_close(compiled(*call), program(*call))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

calls = [(torch.randn(4, n), torch.randn(4, 3), torch.randn(3, n), torch.randn(3, 3)) for n in (5, 6, 7, 8)]
blamed = graphs(lambda x, h, w, u: torch.rnn_tanh_cell(x, h, w, u), calls)
control = graphs(lambda x, h, w, u: (F.linear(x, w) + F.linear(h, u)).tanh(), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} written out")
