"""The type checker knows a case where code under test reads it: a misspelt field is an error in every file."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyright")
ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r"\bcase\.[a-z]\w*")
MISSPELT = "misspelt_here"


def misspell(folder: Path) -> list[str]:
    """Copy what reads cases, a field misspelt in each function that reads one; return `file:line` of each."""
    planted: list[str] = []
    for path in sorted((ROOT / "compiled").rglob("*.py")):
        lines, there = path.read_text().splitlines(), False
        name = "_".join(path.relative_to(ROOT).with_suffix("").parts)
        for at, line in enumerate(lines):
            there = there and not line.startswith("def ")
            if not there and READ.search(line) and not line.lstrip().startswith(("#", '"')):
                lines[at], there = READ.sub(f"case.{MISSPELT}", line, count=1), True
                planted.append(f"{name}:{at}")
        if any(place.startswith(f"{name}:") for place in planted):
            (folder / f"{name}.py").write_text("\n".join(lines) + "\n")
    return planted


def misspelt_fields(folder: Path) -> list[str]:
    """Run the type checker as strictly as the project does; return `file:line` where it misses the planted field."""
    interpreter = {"pythonVersion": "3.11", "extraPaths": [str(ROOT)], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps({"include": ["."], **interpreter}))
    command = [sys.executable, "-m", "pyright", "-p", str(folder), "--outputjson", "--pythonpath", sys.executable]
    bundled = {**os.environ, "PYRIGHT_PYTHON_USE_BUNDLED_PYRIGHT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=bundled, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [f"{Path(one['file']).stem}:{one['range']['start']['line']}" for one in found if MISSPELT in one["message"]]


def test_a_misspelt_field_is_an_error_wherever_code_under_test_reads_a_case(tmp_path: Path) -> None:
    planted = misspell(tmp_path)
    assert "compiled_moe___init__" in {place.partition(":")[0] for place in planted}
    found = misspelt_fields(tmp_path)
    assert sorted(set(planted) - set(found)) == []
