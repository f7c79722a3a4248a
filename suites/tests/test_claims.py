"""Claims: what is measured follows what is planted, is kept for reports, and stands on the published page."""

import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

from eagerdiff import Metric
from eagerdiff.harness.catalog.provenance import home
from eagerdiff.suites.claims import __main__ as command
from eagerdiff.suites.claims import on_gpu, taking
from eagerdiff.suites.claims.claim import Claim, microseconds
from eagerdiff.suites.claims.compiling import breaks
from eagerdiff.suites.claims.serving import ranks, utilisation
from eagerdiff.suites.claims.taking import Untaken, claims, metrics, take, taken

PAGE = home() / "docs" / "claims.md"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EAGERDIFF_CACHE", str(tmp_path))
    return tmp_path


def test_what_was_measured_is_kept_for_reports_and_says_what_was_claimed(cache: Path) -> None:
    claim = claims()["ranks"]
    assert taken(claim) == metrics() == []
    found = take(claim)
    assert found == taken(claim) == metrics()
    answer = claim.answers(found)[0]
    assert answer.by == "balanced, micro-batches: 1"
    assert claim.says in answer.published
    assert claim.source in answer.published
    assert sum(one.published != "" for one in found) == 1


def test_a_claim_that_cannot_be_measured_is_one_line_and_exit_code_2(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = claims()
    monkeypatch.setattr(taking, "SECONDS", 0.01)
    with pytest.raises(Untaken, match=r"ranks: no end within 0\.01 s"):
        take(known["ranks"])
    assert command.main(["ranks"]) == 2
    assert command.main(["nothing"]) == 2
    assert command.main(["--json"]) == 2
    assert [line.split(":")[0] for line in capsys.readouterr().err.splitlines()] == ["claims"] * 3
    assert taken(known["ranks"]) == []


def test_a_slower_way_takes_longer() -> None:
    x = torch.ones(1000)
    one, four = microseconds(lambda: x + 1, lambda: [x + 1 for _ in range(4)])
    assert 2 < four / one < 8


def test_micro_batches_hide_balanced_experts_and_not_uneven_ones() -> None:
    even = [utilisation(n, layers=64, attention=1.0, experts=1.0, transfer=0.1) for n in (1, 2, 3)]
    assert even[0] == pytest.approx(1 / 2.2)
    assert even[0] < even[1] < even[2] <= 1
    assert even[2] > 0.95
    assert utilisation(3, layers=64, attention=1.0, experts=2.0, transfer=0.1) == pytest.approx(0.5, abs=0.05)
    loads = {one.by: one.value for one in ranks() if one.unit == "×"}
    assert loads["balanced, in order"] == 1
    assert loads["Zipf, in order"] > loads["Zipf, the heaviest to the emptiest rank"] > 1


def test_what_is_measured_on_a_gpu_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_gpu, "MODES", ("default",))
    sweeps = list(on_gpu.tuned("cpu", sizes=(3, 5), width=8))
    assert [one.value for one in sweeps if one.unit == "graphs"] == [0, 0]
    assert all(one.value > 0 for one in sweeps if one.unit in ("s", "µs"))
    (share,) = on_gpu.unbacked("cpu", sizes=(8,), width=8)
    assert 5 < share.value < 2000
    assert list(on_gpu.table(iter([share]))) == [f"| {share.what} | 8 rows | {share.value:,.4g} % |"]


def test_nested_breaks_are_counted() -> None:
    graphs = [one.value for one in breaks() if one.unit == "graphs"]
    assert graphs[1] == 2
    assert graphs[0] > graphs[1]


@pytest.mark.skipif(not PAGE.exists(), reason="the page lies in the repository, not in the wheel")
def test_every_claim_has_a_source_and_its_row_on_the_page() -> None:
    known = claims()
    assert len(known) == 13
    assert all(claim.source.startswith("https://") for claim in known.values())
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == list(known)
    for claim in known.values():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| [{claim.says}](#{claim.name})")]
        assert all(re.search(rf"{re.escape(by)}(, [^:;|]+)?: [\d,.]+", row) for by in claim.answer)


def test_the_first_answer_alone_says_what_was_claimed() -> None:
    claim = Claim("a", "says", "https://a", list, ("fast", "slow"))
    other, slow, fast = (Metric(what="w", by=by, value=1.0) for by in ("other", "slow", "fast"))
    read = taking._read(claim, [asdict(one) for one in (other, slow, fast, replace(fast, what="v"))])
    assert claim.answers(read) == [replace(fast, published="says (https://a)"), slow]
    assert read == [other, slow, replace(fast, published="says (https://a)"), replace(fast, what="v")]
