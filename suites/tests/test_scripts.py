"""Kept scripts: each shows a defect of the pinned torch by itself, in at most 40 lines."""

import multiprocessing
import os
import re
import runpy
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from eagerdiff.harness.corpus.evals import read_corpus
from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.sinks.file_name import module_stem
from eagerdiff.harness.triage.signature import symptom_of
from eagerdiff.suites.tests.usual import others_slow

CORPUS = Path(__file__).parents[1] / "corpus"
SCRIPTS = sorted((CORPUS / "scripts").glob("*.py"))
THIRD_PARTY = sorted((CORPUS / "scripts" / "third_party").glob("*.py"))
"""Defects of other software than torch: they need its source, which an environment variable names."""
EARLIER = sorted((CORPUS / "scripts" / "earlier").glob("*.py"))
"""Defects of supported releases before the pinned one: each says when it was seen, and when it was gone."""
SEEN = "2.13"
CPUINFO = Path("/proc/cpuinfo")
PROCESSOR = CPUINFO.read_text().split() if CPUINFO.exists() else []
"""What the processor can do, by the kernel's names."""
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["torch", "torch._dynamo", "torch._inductor.compile_fx", "torch.export"])
USUAL = (
    "aot_index_by_scalar_tensor",
    "aoti_complex_constant_assertion",
    "decomp_mse_loss_empty_gradient",
    "dynamo_unbacked_cummin",
    "eager_addmv_no_columns_shape",
    "export_strict_checkpoint",
    "functorch_unbacked_jvp_guard",
    "inductor_unbacked_unfold",
    "inductor_triton_exp2_of_half_index",
)
"""One script of each compiler layer: what they show changes with torch alone, so that the rest are left to
`make test-all`, which a new torch must pass."""
pinned = pytest.mark.skipif(
    not torch.__version__.startswith(SEEN), reason=f"seen on torch {SEEN}; here a script may say that it is gone"
)


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 8
    assert set(USUAL) <= {script.stem for script in SCRIPTS}


@pytest.mark.parametrize("script", [*SCRIPTS, *THIRD_PARTY, *EARLIER], ids=lambda script: script.stem)
def test_a_script_is_short_and_stands_alone(script: Path) -> None:
    text = script.read_text()
    assert len(text.splitlines()) <= 40
    assert not any(
        f"import {name}" in text or f"from {name}" in text for name in ("eagerdiff", "harness", "suites", "compiled")
    )


@pinned
@pytest.mark.parametrize(
    "script",
    others_slow(SCRIPTS, [script for script in SCRIPTS if script.stem in USUAL]),
    ids=lambda script: script.stem,
)
def test_the_defect_is_there(script: Path) -> None:
    """Run each script in a fork of a process that has imported torch, or anew where it sets the environment first."""
    text = script.read_text()
    if (needed := re.search(r"^# Processor: (\w+)$", text, re.MULTILINE)) and needed[1] not in PROCESSOR:
        pytest.skip(f"needs a processor with {needed[1]}")
    if "os.environ" in text:
        code = subprocess.run([sys.executable, str(script)], capture_output=True, timeout=200).returncode
    else:
        process = FORKS.Process(target=runpy.run_path, args=(str(script),), kwargs={"run_name": "__main__"})
        process.start()
        process.join(200)
        process.kill()
        code = process.exitcode
    assert code == 1 or (code is not None and code < 0)


@pytest.mark.parametrize("script", THIRD_PARTY, ids=lambda script: script.stem)
def test_a_third_partys_script_says_what_it_needs(script: Path, tmp_path: Path) -> None:
    """Run it with the variable that it names set to an empty folder, and as it is set here, if it is."""
    (variable,) = set(re.findall(r"EAGERDIFF_\w+", script.read_text()))
    for root in (str(tmp_path), *filter(None, [os.environ.get(variable)])):
        environment = {**os.environ, variable: root}
        ended = subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, timeout=200, env=environment
        )
        if root == str(tmp_path) and "needs" in ended.stdout:
            assert (ended.returncode, len(ended.stdout.splitlines()), ended.stderr) == (2, 1, "")
        else:
            assert ended.returncode in (0, 1) or ended.returncode < 0, ended.stderr


@pytest.mark.parametrize("script", EARLIER, ids=lambda script: script.stem)
def test_a_defect_of_an_earlier_release_is_gone_when_its_script_says_so(script: Path, tmp_path: Path) -> None:
    said = re.search(r"^# Seen with torch ([\d.]+), gone in ([\d.]+)\.$", script.read_text(), re.MULTILINE)
    assert said is not None
    seen, gone = (torch.__version__ >= version for version in said.groups())
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path)}
    code = subprocess.run([sys.executable, str(script)], capture_output=True, timeout=200, env=environment).returncode
    assert code == 0 if gone else code == 1 or not seen


def test_what_is_kept_is_small_and_named_after_its_script() -> None:
    stems = tuple(script.stem for script in SCRIPTS)
    programs = read_corpus(CORPUS / "programs.yaml").cases
    for kept in (*programs, *read_corpus(CORPUS / "symbolic.yaml").cases):
        assert re.sub(r"-\d+$", "", str(kept.name)) in stems
    operations = [len(kept.inputs.workload[0]["program"]["nodes"]) for kept in programs]
    assert statistics.median(operations) <= 3
    assert statistics.median(len(kept.inputs.workload) for kept in programs) <= 2


@pytest.mark.parametrize("name", ["programs", "symbolic", "paged_attention", "decoder"])
def test_kept_symptoms_are_told_by_todays_rules(name: str) -> None:
    for kept in read_corpus(CORPUS / f"{name}.yaml").cases:
        seen = kept.expected_output
        assert seen is not None
        assert seen.symptom is not None
        if seen.symptom.status is Status.RAISED:
            verdict = Verdict(status=seen.status, reason=seen.reason, frame=seen.symptom.where)
            assert symptom_of(verdict, of_program=bool(kept.inputs.about), specialised=False) == seen.symptom


def test_each_script_of_a_call_of_torch_s_tables_has_its_entry() -> None:
    entries = {module_stem(str(kept.name)) for kept in read_corpus(CORPUS / "torch_api.yaml").cases}
    scripts = {script.stem for script in (CORPUS / "scripts" / "torch_api").glob("*.py")}
    assert scripts
    assert scripts <= entries
    assert all(script.isidentifier() for script in scripts), "a wheel holds modules that can be imported alone"
