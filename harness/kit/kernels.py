"""Kernels: what the Triton kernels that a script launches become for a GPU that is not there.

It runs as a process of its own, `main(SCRIPT, FOLDER, TARGET, CODE …)`: kernels are compiled in place of being run, so
what the script makes of their outputs means nothing. Where Inductor generates them they are taken out of its code.
"""

import contextlib
import json
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

STAGES = ("ttir", "ttgir", "ptx", "amdgcn")
"""Of a compiled kernel, those that are text."""
MOST = 20
"""Kernels whose code is written."""
FILE = "kernels.json"


def main(script: str, folder: str, target: str, *code: str) -> None:
    """Read the code that Inductor wrote for a script, or run it where that has no kernel: write each kernel's code.

    Their figures go into the folder too, as JSON.

    Whatever ends the script ends the list: it asks what its kernels wrote, and none wrote anything.
    """
    from eagerdiff.harness.devices.generated import compile_generated, sources_in
    from eagerdiff.harness.devices.machine_code import disassembled
    from eagerdiff.harness.devices.offline import OfflineReport, capture
    from eagerdiff.harness.internals.triton_knobs import HOOKS

    HOOKS["interpret"].replace(False)  # whatever the script sets
    told: list[dict[str, Any]] = []

    def note(report: OfflineReport, compiled: Any) -> None:
        stem, files = f"{len(told):02d}_{report.kernel}"[:80], list[str]()
        if len(told) < MOST:
            code = {stage: compiled.asm[stage] for stage in STAGES if stage in compiled.asm}
            if "cubin" in compiled.asm:
                code["sass"] = disassembled(compiled.asm["cubin"])
            for stage, text in code.items():
                files.append(f"{stem}.{stage}")
                (Path(folder) / files[-1]).write_text(text, encoding="utf-8")
        told.append(
            {
                "name": report.kernel,
                "files": files,
                "registers": report.registers,
                "spill_bytes": report.spill_bytes,
                "shared_bytes": report.shared_bytes,
                "instructions": report.instructions["total"],
                "specialisation": report.specialisation,
            }
        )

    def note_refusal(kernel: str, error: Exception) -> None:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
        told.append({"name": kernel, "files": [], "refused": f"{type(error).__name__}: {lines[-1]}"[:300]})

    generated = {pair: None for file in code for pair in sources_in(Path(file).read_text(encoding="utf-8"))}
    for name, source in generated:
        try:
            with tempfile.TemporaryDirectory() as place:
                compile_generated(name, source, Path(place, f"{name}.py"), target, note)
        except Exception as error:  # noqa: BLE001 - whatever a compiler raises is its refusal
            note_refusal(name, error)
    if not generated:
        sys.argv = [script]
        with capture(target, note, note_refusal), contextlib.suppress(Exception, SystemExit):
            runpy.run_path(script, run_name="__main__")
    (Path(folder) / FILE).write_text(json.dumps(told), encoding="utf-8")
