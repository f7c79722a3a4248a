"""cuda_stand_ins.py TORCH_LIB: let a CUDA build of torch start where no CUDA is.

Each CUDA library that torch's own libraries name, and that is not there, gets an empty stand-in beside them. All its
functions return 100, `cudaErrorNoDevice`: torch then says that it sees no GPU. Needs gcc, readelf and nm.
"""

import re
import subprocess
import sys
from pathlib import Path

CUDA = re.compile(r"lib(cu|nv|nccl)")
SYMBOL = re.compile(r"(cu|nccl|nv|__cuda|_ZN5cudnn)", re.IGNORECASE)
ALL = "libeagerdiff_no_cuda.so"


def needed(library: Path) -> set[str]:
    """Return the names of the libraries that one is linked with."""
    return set(re.findall(r"\(NEEDED\).*\[(.*?)\]", ask("readelf", "-dW", str(library))))


def symbols(library: Path, kind: str) -> set[str]:
    """Return the dynamic symbols that a library defines (`--defined-only`) or wants (`--undefined-only`)."""
    lines = ask("nm", "-D", kind, str(library)).splitlines()
    return {line.split()[-1].partition("@")[0] for line in lines if line.strip()}


def ask(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def compile_library(path: Path, source: str, *flags: str) -> None:
    """Build a shared library named as its file from C source."""
    command = ["gcc", "-w", "-fno-builtin", "-shared", "-fPIC", f"-Wl,-soname,{path.name}", "-o", str(path)]
    subprocess.run([*command, "-x", "c", "-", *flags], input=source, text=True, check=True)


def main(folder: Path) -> None:
    libraries = [path for path in folder.glob("*.so*") if path.name != ALL]
    installed = ask("ldconfig", "-p")
    named = {name for library in libraries for name in needed(library) if CUDA.match(name)}
    missing = {name for name in named if not (folder / name).exists() and f"\t{name} " not in installed}
    if not missing:
        return
    wanted = {name for library in libraries for name in symbols(library, "--undefined-only")}
    there = {name for library in libraries for name in symbols(library, "--defined-only")}
    functions = sorted(name for name in wanted - there if SYMBOL.match(name) and name.isidentifier())
    compile_library(folder / ALL, "".join(f"int {name}() {{ return 100; }}\n" for name in functions))
    for name in sorted(missing):
        compile_library(folder / name, "", "-Wl,--no-as-needed", f"-L{folder}", f"-l:{ALL}", "-Wl,-rpath,$ORIGIN")
    print(f"stand-ins for {len(missing)} CUDA libraries, {len(functions)} functions")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
