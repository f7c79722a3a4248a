# nn.Sequential.compile(fullgraph=True) compiles each of its modules on its own, without an error: the frames around
# them, Module._call_impl and Sequential.forward, are of files that Dynamo skips. torch.compile(module) makes one graph.
import sys
import torch
from torch import nn

class Sine(nn.Module):
    def forward(self, x):
        return x.sin()

def sines(compiled):
    counts = []
    def keep(graph, _):
        counts.append(sum(node.target == "sin" for node in graph.graph.nodes))
        return graph.forward
    compiled(nn.Sequential(Sine(), Sine(), Sine()), keep)(torch.ones(2))
    return counts

def by_method(model, keep):
    model.compile(backend=keep, fullgraph=True)
    return model

right = sines(lambda model, keep: torch.compile(model, backend=keep, fullgraph=True))
found = sines(by_method)
if found != right:
    sys.exit(f"graphs of {found} sines where {right} is right")
