"""Kernels: what the Triton kernels that a script launches become for a GPU that is not there.

It runs as a process of its own, `main(SCRIPT, FOLDER, TARGET)`: kernels are compiled in place of being run, so what the
script makes of their outputs means nothing.
"""

import contextlib
import json
import runpy
import sys
from pathlib import Path
from typing import Any

MOST = 20
"""Kernels whose code is written."""
FILE = "kernels.json"


def main(script: str, folder: str, target: str) -> None:
    """Run a script; write each kernel's code into a folder, and their figures as JSON.

    Raises what the compiler does with a kernel; what the script raises is nothing.
    """
    from eagerdiff.harness.devices.machine_code import disassembled
    from eagerdiff.harness.devices.offline import capture
    from eagerdiff.harness.internals.triton_knobs import HOOKS

    HOOKS["interpret"].replace(False)  # whatever the script sets
    found: list[dict[str, Any]] = []

    def note(name: str, compiled: Any) -> None:
        stem, files = f"{len(found):02d}_{name}"[:80], list[str]()
        binary = compiled.asm.get("cubin")
        texts = {one: compiled.asm.get(one) for one in ("ttir", "ttgir", "ptx", "amdgcn")}
        texts["sass"] = disassembled(binary) if binary else None
        for kind, text in texts.items():
            if text and len(found) < MOST:
                files.append(f"{stem}.{kind}")
                (Path(folder) / files[-1]).write_text(text, encoding="utf-8")
        found.append({"files": files})

    sys.argv = [script]
    with capture(target, note) as reports, contextlib.suppress(Exception, SystemExit):
        runpy.run_path(script, run_name="__main__")
    told = [
        one
        | {
            "name": report.kernel,
            "registers": report.registers,
            "spill_bytes": report.spill_bytes,
            "shared_bytes": report.shared_bytes,
            "instructions": report.instructions["total"],
            "specialisation": report.specialisation,
        }
        for one, report in zip(found, reports, strict=True)
    ]
    (Path(folder) / FILE).write_text(json.dumps(told), encoding="utf-8")
