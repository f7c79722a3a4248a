"""Machine code: what the assemblers say of a compiled kernel, read without a GPU."""

import re
import struct
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eagerdiff.harness.internals.triton_assemblers import cuobjdump, nvdisasm

_CLASSES: Mapping[str, str] = {
    r"ld\.shared|ldmatrix|ds_read|ds_load": "shared_load",
    r"st\.shared|stmatrix|ds_write|ds_store": "shared_store",
    r"cp\.async|cp\.bulk|global_load_lds|buffer_load.*lds": "async_copy",
    r"ld\.(global|v\d|relaxed|acquire|volatile)|ld\.\w+\.global|global_load|buffer_load|flat_load": "load",
    r"st\.(global|v\d|relaxed|release|volatile)|st\.\w+\.global|global_store|buffer_store|flat_store": "store",
    r"ld\.local|st\.local|scratch_": "local",
    r"atom|red\.|global_atomic|buffer_atomic|flat_atomic|ds_add|ds_max": "atomic",
    r"mma|wgmma|wmma|tcgen05|v_mfma|v_smfmac": "matrix",
    r"bar\.|barrier|mbarrier|s_barrier|fence|membar|s_waitcnt": "barrier",
    r"bra|ret|s_cbranch|s_branch|s_endpgm": "branch",
    r"cvt|v_cvt": "convert",
    r"div|sqrt|rsqrt|rcp|ex2|lg2|sin|cos|tanh|v_(exp|log|rcp|rsq|sqrt|sin|cos)_": "special",
}
_ORDERED = [(re.compile(pattern), name) for pattern, name in _CLASSES.items()]
_USAGE = re.compile(r"(REG|STACK|SHARED|LOCAL):(\d+)")


def instruction_mix(assembly: str) -> dict[str, int]:
    """Count instructions of PTX or amdgcn by class (load, store, matrix, ...); `other` and `total` besides."""
    counts: Counter[str] = Counter()
    for mnemonic in _mnemonics(assembly):
        counts[next((name for pattern, name in _ORDERED if pattern.match(mnemonic)), "other")] += 1
    return {**dict(sorted(counts.items())), "total": counts.total()}


def cubin_usage(cubin: bytes) -> dict[str, int]:
    """Return registers, spill bytes and shared bytes as `cuobjdump --dump-resource-usage` prints them.

    The most over all functions counts; spills stand in a thread's stack frame or in its local memory. Raises
    RuntimeError where the tool fails.
    """
    said = _asked(cubin, cuobjdump(), "--dump-resource-usage")
    found = [(name, int(value)) for name, value in _USAGE.findall(said)]
    if not found:
        raise RuntimeError(f"cuobjdump failed: {said.strip()[:200]}")
    most = {name: max(value for key, value in found if key == name) for name, _ in found}
    return {
        "registers": most.get("REG", 0),
        "spill_bytes": most.get("STACK", 0) + most.get("LOCAL", 0),
        "shared_bytes": most.get("SHARED", 0),
    }


def disassembled(cubin: bytes) -> str:
    """Return a GPU's machine code (SASS) as `nvdisasm` writes it; raise RuntimeError where the tool fails."""
    return _asked(cubin, nvdisasm(), "--print-code")


def _asked(cubin: bytes, tool: Path, option: str) -> str:
    """Return what an assembler's companion says of a cubin; raise RuntimeError where it fails."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [str(tool), option, file.name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        raise RuntimeError(f"{tool.name} failed: {(done.stderr or done.stdout).strip()[:200]}")
    return done.stdout


def amdgcn_usage(assembly: str) -> dict[str, int]:
    """Return vector registers, scratch bytes a lane and shared bytes from amdgcn's own metadata."""
    metadata = assembly.partition(".amdgpu_metadata")[2]
    if not metadata:
        raise RuntimeError("amdgcn without metadata")

    def figure(name: str) -> int:
        return max((int(value) for value in re.findall(rf"\.{name}:\s+(\d+)", metadata)), default=0)

    return {
        "registers": figure("vgpr_count"),
        "spill_bytes": figure("private_segment_fixed_size"),
        "shared_bytes": figure("group_segment_fixed_size"),
    }


def code_bytes(binary: bytes) -> int:
    """Return the size in bytes of the `.text` sections of a 64-bit little-endian ELF file (cubin, hsaco)."""
    if binary[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    table, width, count, names = _section_table(binary)
    sections = [struct.unpack_from("<IIQQQQ", binary, table + width * index) for index in range(count)]
    base = sections[names][4]
    return sum(size for name, _, _, _, _, size in sections if _name(binary, base + name).startswith(".text"))


def _section_table(binary: bytes) -> tuple[int, int, int, int]:
    (table,) = struct.unpack_from("<Q", binary, 0x28)
    width, count, names = struct.unpack_from("<HHH", binary, 0x3A)
    return table, width, count, names


def _name(binary: bytes, start: int) -> str:
    return binary[start : binary.index(b"\0", start)].decode("ascii", "replace")


def _mnemonics(assembly: str) -> list[str]:
    """Return the instructions of the code part; directives, labels, comments and declarations are none."""
    found: list[str] = []
    for line in assembly.partition(".section\t.debug")[0].partition(".amdgpu_metadata")[0].splitlines():
        text = re.sub(r"^(@!?%\w+|\{)\s*", "", line.split("//")[0].split(";")[0].strip())
        if (match := re.match(r"[a-z][\w.]*", text)) and not text.endswith(":"):
            found.append(match[0])
    return found


def usage(stages: Mapping[str, Any]) -> dict[str, int]:
    """Return registers, spill bytes and shared bytes of a compiled kernel's stages (`CompiledKernel.asm`)."""
    return cubin_usage(stages["cubin"]) if "cubin" in stages else amdgcn_usage(stages["amdgcn"])
