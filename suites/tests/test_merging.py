"""Reports that are added up: counts add up, one bug is one entry, and what is of another kind stands beside."""

import json
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.model.identity import Identity, Stage
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.report import write
from eagerdiff.harness.results.coverage import Covered, Met
from eagerdiff.harness.results.excuses import Excused
from eagerdiff.harness.results.merging import merged
from eagerdiff.harness.results.pairs import PairsMet
from eagerdiff.harness.results.results import Replay, Results, Row
from eagerdiff.harness.results.sides import Sides
from eagerdiff.harness.results.unseen import Unseen
from eagerdiff.harness.triage.finding import Finding

HERE = {"torch": "2.13.0", "triton": "3.7.1", "gpu": "none", "commit": "c0ffee", "platform": "Linux", "cores": "2"}


def row(implementation: str = "dynamic", **counts: object) -> Row:
    return Row.model_validate({"operator": "moe", "implementation": implementation, "device": "cpu"} | counts)


def finding(implementation: str = "dynamic", reason: str = "it raised", **told: Any) -> Finding:
    """Return a finding of a stage of the compiler: what fails early explains the same later on."""
    data = {
        "operator": "moe",
        "implementation": implementation,
        "identity": Identity(),
        "device": "cpu",
        "verdict": Verdict(status=Status.RAISED, oracle=Oracle.EXACT, reason=reason),
        "workload": [{"rows": 3}],
    }
    return Finding.model_validate(data | told)


def report(*findings: Finding, rows: list[Row] | None = None, shard: str = "", **told: object) -> Results:
    made = Results.model_validate(
        {"rows": rows or [row(cases=3, workloads=2)], "findings": findings, "environment": HERE, "shard": shard} | told
    )
    made.add_up()
    return made


def test_counts_add_up_and_what_is_a_number_of_different_things_is_the_largest() -> None:
    one = row(
        cases=3, workloads=2, skipped=1, distinct_sizes=3, seconds=1.5, skip_reasons={"no": 1},
        compiles_per_workload={1: 2}, launches_a_call={"k": 2},
        kernels={"k": {"line 3": {"taken": True, "not": False}}},
        met={"op_db:add": Met(drawn=2, compared=1)}, excused={"0 and 1": Excused(calls=1, proof="Eq(s0, 1)")},
    )  # fmt: skip
    other = row(
        cases=4, workloads=3, skipped=2, distinct_sizes=4, seconds=0.5, skip_reasons={"no": 1, "nor": 1},
        compiles_per_workload={1: 1, 2: 2}, launches_a_call={"k": 3},
        kernels={"k": {"line 3": {"taken": False, "not": True}}},
        met={"op_db:add": Met(drawn=1, compared=1)}, excused={"0 and 1": Excused(calls=2, operations={"cat": 2})},
    )  # fmt: skip
    (total,) = merged({"a": report(rows=[one]), "b": report(rows=[other])}).rows
    assert (total.cases, total.workloads, total.skipped, total.distinct_sizes, total.seconds) == (7, 5, 3, 4, 2.0)
    assert total.skip_reasons == {"no": 2, "nor": 1}
    assert total.compiles_per_workload == {1: 3, 2: 2}
    assert total.launches_a_call == {"k": 3}
    assert total.kernels == {"k": {"line 3": {"taken": True, "not": True}}}
    assert total.met == {"op_db:add": Met(drawn=3, compared=2)}
    assert total.excused == {"0 and 1": Excused(calls=3, proof="Eq(s0, 1)", operations={"cat": 2})}
    assert one.cases == 3, "what was added up stays as it was"


def test_totals_are_the_sums_of_all_parts() -> None:
    parts = {name: report(rows=[row(cases=count, workloads=1)]) for name, count in (("a", 2), ("b", 5), ("c", 0))}
    done = merged(parts)
    assert done.totals.cases == 7
    assert [(part.name, part.cases) for part in done.parts] == [("a", 2), ("b", 5), ("c", 0)]
    again = merged({"ab": merged({name: parts[name] for name in "ab"}), "c": parts["c"]})
    assert again.totals == done.totals
    assert again.parts == done.parts, "a report of many is still of those"


def test_one_bug_that_several_met_is_one_entry_with_the_script_that_one_has() -> None:
    plain, scripted = finding(count=2), finding(count=3, script="findings/x.py", reproduced=True, shrunk=True)
    done = merged({"a": report(plain), "b": report(scripted), "c": report(finding(reason="another thing"))})
    assert [(one.verdict.reason, one.count) for one in done.findings] == [("it raised", 5), ("another thing", 1)]
    assert done.findings[0].script == "b/findings/x.py"
    assert done.totals.findings == done.totals.new == 2
    assert [one.findings for one in done.rows] == [2]


@pytest.mark.parametrize(
    ("one", "other", "new", "kept", "flaky"),
    [
        ({"new": False, "kept": True}, {"new": True}, False, True, False),
        ({"new": False, "flaky": True}, {"new": True}, True, False, False),
        ({"new": False, "flaky": True}, {"new": False, "flaky": True}, False, False, True),
    ],
)
def test_what_a_corpus_knows_is_known_and_what_one_saw_again_is_not_flaky(
    one: dict[str, Any], other: dict[str, Any], new: bool, kept: bool, flaky: bool
) -> None:
    (found,) = merged({"a": report(finding(**one)), "b": report(finding(**other))}).findings
    assert (found.new, found.kept, found.flaky) == (new, kept, flaky)


def test_a_row_that_failed_as_anothers_entry_says_so() -> None:
    specialised: dict[str, Any] = {
        "verdict": Verdict(status=Status.RAISED, frame="torch/_dynamo/guards.py:f", reason="no")
    }
    torchs: dict[str, Any] = {
        "identity": Identity(family="f", backend="inductor", stage=Stage.INDUCTOR),
        "about": ("add",),
    }
    one, other = finding("dynamic", **specialised, **torchs), finding("static", **specialised, **torchs)
    rows = [row("dynamic", cases=1, failures=1), row("static", cases=1, failures=1)]
    done = merged({"a": report(one, rows=rows[:1]), "b": report(other, rows=rows[1:])})
    (kept,) = done.findings
    assert kept.count == 2
    (told,) = (one for one in done.rows if one.implementation != kept.implementation)
    assert [cause.implementation for cause in told.same_cause] == [kept.implementation]
    assert told.failed_anew


def test_a_machine_that_cannot_run_something_does_not_speak_for_one_that_can() -> None:
    cannot = row(can_run=False, problem="needs a GPU", skipped=1, skip_reasons={"needs a GPU": 1})
    (total,) = merged({"a": report(rows=[cannot]), "b": report(rows=[row(cases=2)])}).rows
    assert total.can_run
    assert not total.problem
    (nowhere,) = merged({"a": report(rows=[cannot]), "b": report(rows=[cannot])}).rows
    assert not nowhere.can_run
    assert nowhere.problem == "needs a GPU"


def test_tables_pairs_and_estimates_are_those_of_all() -> None:
    def told(missing: list[str], met: dict[str, int], **covered: Any) -> Results:
        return report(
            coverage={"op_db": [Covered(name="add", **covered)]},
            pairs=[
                PairsMet(operator="moe", pairs=4, met=4 - len(missing), missing=missing, by_implementation={"d": 2})
            ],
            unseen=[Unseen.of("moe", 10, 5.0, met)],
        )

    done = merged(
        {
            "a": told(["x, y", "x, z"], {"c1": 1, "c2": 2}, drawn=2, compared=0),
            "b": told(["x, z"], {"c1": 1, "c3": 1}, drawn=3, compared=2),
        }
    )
    assert done.coverage["op_db"] == [Covered(name="add", drawn=5, compared=2)]
    assert (done.pairs[0].met, done.pairs[0].missing) == (3, ["x, z"])
    (unseen,) = done.unseen
    assert (unseen.workloads, unseen.causes, unseen.once, unseen.twice) == (20, 3, 1, 2)


def test_kept_findings_are_told_as_by_the_machine_that_saw_most() -> None:
    def replayed(status: str) -> Results:
        return report(replays=[Replay(operator="moe", implementation="d", device="cpu", name="n", status=status)])

    seen = (("WAITING", "PRESENT", "PRESENT"), ("GONE", "SKIPPED", "GONE"), ("PRESENT", "GONE", "GONE"))
    for one, other, told in seen:
        assert [replay.status for replay in merged({"a": replayed(one), "b": replayed(other)}).replays] == [told]


def test_what_is_missing_or_there_twice_is_said() -> None:
    whole = merged({f"p{number}": report(shard=f"{number}/3", seed=7) for number in (1, 2, 3)})
    assert whole.problems == []
    lacking = merged({f"p{number}": report(shard=f"{number}/3", seed=7) for number in (1, 3)})
    assert lacking.problems == ["of seed 7 there is no report of 2/3"]
    twice = merged({"p": report(shard="1/1", seed=7), "q": report(seed=7)})
    assert twice.problems == ["p and q are both part 1/1 of seed 7: what both drew is counted twice"]


def written(folder: Path, results: Results) -> Path:
    write(results, folder)
    return folder


def test_the_command_writes_one_report_with_the_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = written(tmp_path / "one" / "report", report(finding(script="findings/x.py"), shard="1/2"))
    (one / "findings").mkdir()
    (one / "findings" / "x.py").write_text("print()\n")
    other = written(tmp_path / "two" / "report", report(shard="2/2"))
    assert invoke(["merge", str(one), str(other), "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().out
    assert "1 new finding in 6 cases" in said
    data = json.loads((tmp_path / "out" / "report.json").read_text())
    script = data["findings"][0]["script"]
    assert (tmp_path / "out" / script).read_text() == "print()\n"
    assert script.startswith("findings/")
    assert [part["name"] for part in data["parts"]] == ["one-report", "two-report"]
    assert "What this is made of" in (tmp_path / "out" / "index.html").read_text()
    assert invoke(["report", str(tmp_path / "out")]) == 0


def test_other_torches_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = HERE | {"torch": "2.11.0"}
    card = HERE | {"gpu": "NVIDIA H200"}
    folders = [
        written(tmp_path / name, told)
        for name, told in (
            ("a", report(finding(), shard="1/2")),
            ("b", report(shard="2/2")),
            ("c", report(environment=old)),
            ("d", report(environment=card)),
        )
    ]
    assert invoke(["merge", *map(str, folders), "--out", str(tmp_path / "out")]) == 1
    sides = Sides.model_validate_json((tmp_path / "out" / "sides.json").read_text())
    names = ["torch 2.13.0, no GPU", "torch 2.11.0", "torch 2.13.0, NVIDIA H200"]
    assert [(side.name, side.code) for side in sides.sides] == list(zip(names, (1, 0, 0), strict=True))
    assert [cause.met for cause in sides.crossed] == [names[:1]]
    told = Results.model_validate_json((tmp_path / "out" / sides.sides[0].folder / "report.json").read_text())
    assert told.totals.cases == 6
    assert "torch 2.11.0: Nothing new in 3 cases" in capsys.readouterr().out


def test_what_cannot_be_merged_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = written(tmp_path / "one", report())
    for given, said in (
        ([str(one), str(one)], "is named twice"),
        ([str(one), str(tmp_path / "none")], "none/report.json cannot be read"),
        ([str(one), "--out", str(one)], "name another folder"),
    ):
        assert invoke(["merge", *given, *([] if "--out" in given else ["--out", str(tmp_path / "out")])]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1


def test_a_strangers_report_writes_nothing_outside_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("secret")
    stranger = written(tmp_path / "stranger", report(finding(script="../secret.py"), environment=HERE))
    assert invoke(["merge", str(stranger), "--out", str(tmp_path / "out" / "inner")]) == 1
    made = {path.name for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert "secret.py" not in made
    data = json.loads((tmp_path / "out" / "inner" / "report.json").read_text())
    assert data["findings"][0]["script"] == ""
