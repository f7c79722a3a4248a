"""All C++ kernels of a graph are compiled in one translation unit, and mean what they mean by themselves."""

import json
import subprocess
import sys
import time
from typing import Any

PROGRAM = """
import json, torch
import torch._inductor.cpp_builder as cpp_builder
from eagerdiff.harness.internals import inductor_units
from eagerdiff.harness.internals.dynamo_config import compile_here
compile_here()
if {together}:
    inductor_units.compile_together()
    inductor_units.compile_together()  # once more is as good as once
units, run = [], cpp_builder.run_compile_cmd

def counted(command, *args, **options):
    units.extend(word for word in str(command).split() if word.endswith(".main.cpp"))
    return run(command, *args, **options)

cpp_builder.run_compile_cmd = counted
torch.manual_seed(0)
"""
VALUES = """
def program(x, y):
    a = (x @ y).relu().sum(-1)
    b = torch.cumsum((x * {salt}).sin(), 0)
    return a.softmax(0) * b.mean(-1), b.sort(-1)[0] + {salt}, (x > {salt}).sum(), x.to(torch.bfloat16) * {salt}

compiled, found = torch.compile(program, dynamic=True), []
for size in (7, 33, 64):
    x, y = torch.randn(size, size), torch.randn(size, size)
    found.append([one.double().reshape(-1).tolist() for one in compiled(x, y)])
print(json.dumps([len(units), found]))
"""
BROKEN = """
from torch._inductor.async_compile import AsyncCompile
source = '#include <torch/csrc/inductor/cpp_prefix.h>\\nextern "C" void kernel(float* out) {{ out[0] = {salt}; }}\\n'
compiling = AsyncCompile()
scope = {{
    "right": compiling.cpp_pybinding(["float*"], source),
    "wrong": compiling.cpp_pybinding(["float*"], source.replace("out[0]", "nowhere")),
}}
try:
    compiling.wait(scope)
    raise SystemExit("it compiled")
except Exception as error:
    print(json.dumps([type(error).__name__, "nowhere" in str(error)]))
"""


def ran(program: str, *, together: bool, salt: float) -> Any:
    """Run a program in a process of its own, `salt` among its numbers: no kernel of an earlier run is taken."""
    source = (PROGRAM + program).format(together=together, salt=salt)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_one_unit_holds_all_kernels_of_a_graph_and_gives_the_same_bits() -> None:
    salt = 1 + time.time() % 1e6 * 1e-7
    units, values = ran(VALUES, together=True, salt=salt)
    assert units == 1
    units, one_by_one = ran(VALUES, together=False, salt=salt)
    assert units > 1
    assert values == one_by_one


def test_what_does_not_compile_raises_what_torch_raises() -> None:
    assert ran(BROKEN, together=True, salt=time.time()) == ["CppCompileError", True]
