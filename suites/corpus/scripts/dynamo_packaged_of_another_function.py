# With caching_precompile a function that takes another one from outside is compiled for the first that it met, and gives that one's
# answer for every other, in the same process too: the guard on which it is, is dropped, with a warning (pytorch#158368).
import os
import sys
import tempfile

os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())
import torch

torch._dynamo.config.caching_precompile = True

def made(function):
    def program(x):
        return function(x)

    return program

x = torch.ones(3)
for function in (torch.sin, torch.cos):
    if not torch.equal(torch.compile(made(function), backend="eager")(x), function(x)):
        sys.exit(f"{function.__name__} is not what was computed")
