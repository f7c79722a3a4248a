# With caching_precompile a process that loaded what another one compiled can compile no more: "AssertionError: Name
# '__builtins_dict___0' already exists in scope", where a size wants other code. A process that loads nothing compiles it.
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())
import torch

torch._dynamo.config.caching_precompile = True

def program(x):
    return x + 1

def called(size):
    x = torch.ones(size)
    assert torch.equal(compiled(x), program(x))

compiled = torch.compile(program, dynamic=True)
if sys.argv[1:]:
    called(1)
else:
    called(3)
    torch.compiler.save_cache_artifacts()
    if subprocess.run([sys.executable, __file__, "1"]).returncode:
        sys.exit("a process that loaded the code for size 3 cannot compile it for size 1")
