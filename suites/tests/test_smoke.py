"""One short search an operator: what it takes to draw, build, run and judge works on the torch that is installed."""

from collections.abc import Mapping

import pytest

from eagerdiff import parse_device, unmet
from eagerdiff.harness.campaign.differential import Check, Subject
from eagerdiff.harness.catalog.catalog import Catalog, load, names
from eagerdiff.harness.processes import Worker
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.kept_corpora import known_failures

SUBJECTS: Mapping[str, tuple[str, str]] = {
    "architectures": ("export.bounded", "cpu"),
    "block_copy": ("triton.copy", "interpreted"),
    "cache_write": ("triton.write", "interpreted"),
    "cascade_merge": ("triton.merge", "interpreted"),
    "decoder": ("triton.pieces", "interpreted"),
    "engine_programs": ("torch_xla.auto", "cpu"),
    "engines": ("inductor.dynamic", "cpu"),
    "expert_parallel": ("aot_eager.unbacked", "cpu"),
    "kv_cache": ("blocks", "cpu"),
    "moe": ("triton.grouped_gemm", "interpreted"),
    "moe_gradients": ("triton.block_sparse", "interpreted"),
    "moe_permute": ("triton.permute", "interpreted"),
    "moe_routing": ("triton.routing", "interpreted"),
    "paged_attention": ("triton.varlen", "interpreted"),
    "programs": ("dynamo.dynamic", "cpu"),
    "torch_api": ("dynamo.static", "cpu"),
    "symbolic": ("inductor_triton.dynamic", "interpreted"),
}
"""An implementation and a device for each operator: kernels of our own, and each front of the compiler once."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()


def test_every_operator_has_its_smoke_search() -> None:
    assert sorted(SUBJECTS) == names()


@pytest.mark.timeout(0)  # the workers' own limits bound it
@pytest.mark.parametrize("operator", sorted(SUBJECTS))
def test_a_short_search_judges_cases_and_finds_nothing_new(
    operator: str, catalog: Catalog, workers: dict[str, Worker]
) -> None:
    name, device = SUBJECTS[operator]
    if reason := unmet(catalog.implementations[operator][name].requires, parse_device(device)):
        pytest.skip(reason)
    check = Check(catalog, Subject(operator, name, device), workers[device], known_failures())

    check.search(examples=3, max_cases=2, budget=10.0)

    assert check.broken == ""
    assert check.cases > 0
    assert [told(finding) for finding in check.findings] == []


def told(finding: Finding) -> str:
    return f"{finding.verdict.status}: {finding.verdict.reason} at {finding.workload}"
