# With caching_precompile what was compiled of a function is found by its name and its line, not by its file: another file's function
# of that name in that line is given it, and ends in a NameError, or a ModuleNotFoundError where the first file is not there.
import os
import subprocess
import sys
import tempfile

FOLDER = os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())
import torch

torch._dynamo.config.caching_precompile = True

if sys.argv[1:]:
    sys.path.insert(0, FOLDER)
    program = __import__(sys.argv[1]).program
    compiled = torch.compile(program)
    assert torch.equal(compiled(torch.ones(3)), program(torch.ones(3)))
    sys.exit(torch.compiler.save_cache_artifacts() is None)

def ends(name, number):
    with open(os.path.join(FOLDER, f"{name}.py"), "w") as file:
        file.write(f"def program(x):\n    return x + {number}\n")
    return subprocess.run([sys.executable, __file__, name]).returncode

assert ends("one", 1) == 0
if ends("two", 2):
    sys.exit("a function of another file is answered with what was compiled of the first one's")
