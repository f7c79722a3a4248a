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

from eagerdiff.harness.model.verdict import Status, Verdict
from eagerdiff.harness.sinks.file_name import module_stem
from eagerdiff.harness.triage.signature import symptom_of
from eagerdiff.suites.tests.kept_corpora import kept_corpora, kept_corpus
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
    stems = {script.stem for script in SCRIPTS}
    programs = kept_corpus("programs").cases
    for kept in (*programs, *kept_corpus("symbolic").cases):
        by_hand = re.sub(r"-\d+$", "", str(kept.name))
        assert by_hand in stems or by_hand.startswith(("-".join(kept.inputs.about) or "programs") + "-")
    operations = [len(kept.inputs.workload[0]["program"]["nodes"]) for kept in programs]
    assert statistics.median(operations) <= 3
    assert statistics.median(len(kept.inputs.workload) for kept in programs) <= 2


@pytest.mark.parametrize("name", ["programs", "symbolic", "paged_attention", "decoder"])
def test_kept_symptoms_are_told_by_todays_rules(name: str) -> None:
    for kept in kept_corpus(name).cases:
        seen = kept.expected_output
        assert seen is not None
        assert seen.symptom is not None
        if seen.symptom.status is Status.RAISED:
            verdict = Verdict(status=seen.status, reason=seen.reason, frame=seen.symptom.where)
            assert symptom_of(verdict, of_program=bool(kept.inputs.about), specialised=False) == seen.symptom


EAGER = "eager itself is wrong, and nothing is compiled"
MARKS = "no way of compiling gives a mark such arguments"
WITHOUT_ENTRY = {
    "aot_failure_in_inference_mode_breaks_torch": "what is wrong shows in the calls after the one that fails",
    "inductor_kernel_compiled_for_few_rows_stays_serial": "speed, which no search judges",
    "aot_unused_float_product_recompiles": "a result that nothing uses is not drawn",
    "dynamo_float64_scalar_tensor_nan_guard": "a NaN of no dims in one call of several is not drawn",
    "dynamo_mark_dynamic_half_open_bounds": MARKS,
    "dynamo_mark_unbacked_bounds_assertion": MARKS,
    "dynamo_mark_unbacked_strict_is_backed": MARKS,
    "dynamo_nested_compile_region_float": "the way that repeats a block hands it tensors alone",
    "dynamo_packaged_of_another_file": "a workload is of one file",
    "dynamo_packaged_of_another_function": "drawn code takes no function from outside",
    "dynamo_precompiled_size_of_transposed": "x.T is not written twice in what is drawn",
    "dynamo_sequential_compile_is_not_whole": "modules are compiled as functions, not by their own method",
    "dynamo_shapes_spec_derived_dim_metrics_lost": "the result is right: an error is logged, and the metrics miss",
    "dynamo_unbacked_view_of_slice_assertion": "another guard comes first in the calls that are drawn",
    "dynamo_unbacked_zero_inner_size_recompiles": "the model of compiles allows for it",
    "eager_addmv_no_columns_shape": EAGER,
    "eager_batch_norm_no_channels": EAGER,
    "eager_bf16_conv1d_weight_gradient_uninitialised": EAGER,
    "eager_bf16_conv2d_one_column_uninitialised": EAGER,
    "eager_grid_sample_nan_gradient": EAGER,
    "eager_index_reduce_int32_gradient": EAGER,
    "eager_kron_non_contiguous": EAGER,
    "eager_max_pool_window_of_padding": EAGER,
    "eager_pixel_unshuffle_empty_shape": EAGER,
    "export_loaded_derived_dim_cannot_be_decomposed": "only what an engine imports is saved, loaded and decomposed",
    "export_scan_remembers_earlier_export": "it takes two exports of other sizes in one process",
    "export_strict_vmap_leaves_its_level": "what is wrong is what is left behind in the process",
    "export_unflatten_leaves_out_guards": "the way checks the guards itself, or it could not be judged",
    "functorch_vmap_no_rows": EAGER,
    "inductor_flex_captured_float": "flex_attention is not drawn with a number that it captures",
    "inductor_triton_dense_indexing_mask_before_loop": "no way of compiling has the setting",
}
"""Scripts whose finding no workload of ours shows, and why."""


def test_each_script_has_its_entry_or_a_reason_why_not() -> None:
    entries = {re.sub(r"-\d+$", "", str(entry.name)) for found in kept_corpora() for entry in found.cases}
    assert {script.stem for script in SCRIPTS} - entries == set(WITHOUT_ENTRY)


@pytest.mark.parametrize("name", ["torch_api", "programs"])
def test_each_script_that_a_search_wrote_has_its_entry(name: str) -> None:
    entries = {module_stem(str(kept.name)) for kept in kept_corpus(name).cases}
    scripts = {script.stem for script in (CORPUS / "scripts" / name).glob("*.py")}
    assert scripts
    assert scripts <= entries
    assert all(script.isidentifier() for script in scripts), "a wheel holds modules that can be imported alone"
