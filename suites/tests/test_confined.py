"""Scripts of others: run on an explicit word alone, within limits, without network where the system can cut it off."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.corpus import confined as confining
from eagerdiff.harness.corpus.confined import Confinement, confined, without_network
from eagerdiff.harness.corpus.interpreters import Ending, Interpreter, State
from eagerdiff.harness.processes.fresh_process import run_fresh, telling_line

LIMITS = Confinement(cpu_seconds=30, memory=1 << 28, file=1 << 20)


def run(program: str, limits: Confinement = LIMITS) -> tuple[int | None, str]:
    code, said = run_fresh(confined([sys.executable, "-c", program], limits), 60.0)
    return code, telling_line(said)


def test_a_script_of_another_is_not_run_without_the_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script, marker = tmp_path / "theirs.py", tmp_path / "it ran"
    script.write_text(f"open({str(marker)!r}, 'w')\n")
    ours = Path(confining.__file__).resolve().parents[2] / "suites" / "corpus" / "scripts"
    monkeypatch.setattr(Interpreter, "find", lambda python: Interpreter(sys.executable, "9.9.9"))
    for paths in ([script], [tmp_path], [ours, script], [ours / ".." / ".." / ".." / ".." / script]):
        assert invoke(["replay", "--torch", sys.executable, *map(str, paths)]) == 2
        assert "--run-scripts" in capfd.readouterr().err
    assert not marker.exists()
    assert invoke(["replay", "--torch", sys.executable, "--run-scripts", str(script)]) == 0
    assert marker.exists()


def test_the_word_runs_it_and_what_came_with_the_package_needs_none(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Interpreter, "find", lambda python: Interpreter(sys.executable, "9.9.9"))
    monkeypatch.setattr(Interpreter, "run", lambda self, script, seconds: Ending(State.GONE))
    assert invoke(["replay", "--torch", sys.executable, "--operator", "moe"]) == 0
    assert "gone here" in capfd.readouterr().out


def test_a_script_has_limits() -> None:
    assert run("bytearray(1 << 29)") == (1, "MemoryError")
    code, _ = run("while True: pass", Confinement(cpu_seconds=1))
    assert code in (-9, -24)  # SIGXCPU, or SIGKILL where soft and hard limit are one
    _, said = run("import resource; print(resource.getrlimit(resource.RLIMIT_CORE))")
    assert said == "(0, 0)"
    assert run("open('large', 'wb').write(b'x' * (1 << 21))")[0] != 0


def test_a_script_sees_no_secret_and_leaves_nothing_in_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "MY_PASSWORD", "API_KEY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("EAGERDIFF_VLLM", "/somewhere")
    code, _ = run(
        "import os, sys; e = os.environ; "
        "names = [n for n in e if any(w in n for w in ('TOKEN', 'SECRET', 'PASSWORD', 'API_KEY'))]; "
        "sys.exit(bool(names) or e['TORCHINDUCTOR_CACHE_DIR'] != os.getcwd() or e['EAGERDIFF_VLLM'] != '/somewhere')"
    )
    assert code == 0


def test_no_header_is_compiled_for_one_program_alone() -> None:
    text = "from torch._inductor import config; print(config.cpp_cache_precompile_headers)"
    assert run(text, Confinement(cpu_seconds=60)) == (0, "False")


def test_a_script_reaches_itself_and_nobody_else() -> None:
    """This machine's own address is beyond a network of one's own; where the system allows none, that is said."""
    if not without_network():
        pytest.skip("this system lets no program be cut off from the network")
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        code, said = run(f"import socket; socket.create_connection({server.getsockname()!r}, 5)")
    assert code == 1
    assert "refused" in said or "unreachable" in said
    code, said = run(
        "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname(), 5)"
    )
    assert (code, said) == (0, "")


def test_a_system_that_cannot_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "b.py").write_text("")
    monkeypatch.setattr(confining, "without_network", lambda: False)
    monkeypatch.setattr(Interpreter, "find", lambda python: Interpreter(sys.executable, "9.9.9"))
    assert invoke(["replay", "--torch", sys.executable, "--run-scripts", str(tmp_path)]) == 0
    (line,) = capfd.readouterr().err.splitlines()
    assert "network" in line


def test_what_cannot_be_started_says_so() -> None:
    command = confined(["/no/such/program"], LIMITS)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (126, "No such file or directory\n")
    assert json.loads(command[4])["memory"] == LIMITS.memory
