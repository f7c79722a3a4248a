"""Whose turn it is, and what a row counts."""

import json
from dataclasses import replace

from eagerdiff.harness.campaign.first_turns import TRIES, FirstTurns
from eagerdiff.harness.campaign.schedule import Schedule, Turn
from eagerdiff.harness.campaign.tally import Tally
from eagerdiff.harness.campaign.target import BARREN_ENTRIES, Target
from eagerdiff.harness.corpus.turns import LastTurn
from eagerdiff.harness.model.operator import Table
from eagerdiff.harness.model.outcome import CompileRecord, Outcome
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict, passed, skipped
from eagerdiff.harness.processes import Task
from eagerdiff.harness.results.results import Row
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.suites.tests.misbehaving import OPERATOR


def test_an_operator_gets_its_share_however_many_implementations_it_has() -> None:
    many = [target("many", f"way{number}") for number in range(9)]
    schedule = scheduled(*many, target("single", "only"))
    for _ in range(40):
        turn = schedule.take()
        assert turn is not None
        turn.started -= 1.0
        schedule.give_back(turn, finished=True, fresh=1)
    assert schedule.running == 0
    spent = {one.implementation.name: one.spent for one in many}
    assert 19 <= sum(spent.values()) <= 21
    assert max(spent.values()) - min(spent.values()) < 1.5


def test_each_target_has_a_first_turn_before_any_has_a_second() -> None:
    ways, other = [target("many", f"way{number}") for number in range(9)], target("single", "only")
    schedule = scheduled(*ways, other, first_seconds=100.0)
    met: list[Target] = []
    for _ in range(20):
        turn = schedule.take()
        assert turn is not None
        assert turn.first == (turn.target not in met)
        met.append(turn.target)
        turn.causes = turn.target is ways[0]
        ended(schedule, turn, seconds=1.0)
    assert [sum(one is way for one in met[:10]) for way in (*ways, other)] == [1] * 10
    assert sum(one is other for one in met[10:]) == 5, "from then on operators share the time equally"


def test_first_turns_are_tried_again_where_nothing_was_judged() -> None:
    picky, other = target("many", "picky"), target("single", "only")
    schedule = scheduled(picky, other, first_seconds=100.0)
    met: list[Target] = []
    for _ in range(TRIES + 1):
        turn = schedule.take()
        assert turn is not None
        assert turn.first
        met.append(turn.target)
        ended(schedule, turn, seconds=1.0, judged=turn.target is other)
    assert met.count(picky) == TRIES
    turn = schedule.take()
    assert turn is not None
    assert not turn.first


def test_first_turns_begin_with_the_cheap_and_the_dear_take_turns_from_night_to_night() -> None:
    memory: dict[str, LastTurn] = {}
    reached: list[set[str]] = []
    for _ in range(4):
        cheap = [target("kernels", f"cheap{number}", family="quick") for number in range(20)]
        dear = [target("compiled", f"dear{number}", family="slow") for number in range(8)]
        first_turns = FirstTurns(memory, seconds=100.0)
        schedule = Schedule([*dear, *cheap], 1.0, first_turns)
        met: list[str] = []
        while (turn := schedule.take()) is not None and turn.first:
            met.append(turn.target.implementation.name)
            ended(schedule, turn, seconds=20.0 if turn.target in dear else 1.0)
        assert {one.implementation.name for one in cheap} <= set(met), "cheap ones are judged every night"
        assert first_turns.spent < 120.0
        reached.append({name for name in met if name.startswith("dear")})
    assert set().union(*reached[:3]) == {f"dear{number}" for number in range(8)}, "no dear one waits for ever"
    assert all(len(some) >= 3 for some in reached)


def test_what_a_first_turn_costs_is_told_by_its_kin() -> None:
    dear = [target("compiled", f"dear{number}", family="slow") for number in range(6)]
    cheap = [target("kernels", f"cheap{number}", family="quick") for number in range(6)]
    schedule = scheduled(*dear, *cheap, first_seconds=200.0)
    met: list[Target] = []
    for _ in range(12):
        turn = schedule.take()
        assert turn is not None
        met.append(turn.target)
        ended(schedule, turn, seconds=10.0 if turn.target in dear else 1.0)
    assert sum(one in dear for one in met[:7]) == 1, "one tells what its kin costs"


def test_time_goes_where_causes_are_met_and_to_all_alike_where_none_is() -> None:
    rich, *poor = [target("many", name) for name in ("rich", "a", "b", "c")]
    other = target("single", "only")
    schedule = scheduled(rich, *poor, other)

    def take(turns: int, *, rich_until: float) -> None:
        for _ in range(turns):
            turn = schedule.take()
            assert turn is not None
            turn.causes = int(turn.target is rich and rich.spent < rich_until)
            turn.started -= 1.0
            schedule.give_back(turn, finished=True, fresh=1)

    take(100, rich_until=1000.0)
    assert 23 < rich.spent < 28, "every other turn of its operator"
    assert max(one.spent for one in poor) - min(one.spent for one in poor) < 1.5
    assert abs(other.spent - 50) < 1.5, "operators share the time equally all the same"
    take(300, rich_until=0.0)  # it meets nothing new any more
    assert max(one.spent for one in (rich, *poor)) - min(one.spent for one in (rich, *poor)) < 1.5


def test_a_slot_has_rather_the_ways_that_it_had_before() -> None:
    schedule = scheduled(*(target("many", name, family="one") for name in ("a", "b", "c", "d")))
    had: dict[int, set[str]] = {0: set(), 1: set()}
    for _ in range(40):
        turns = [(slot, schedule.take(slot=slot)) for slot in (0, 1)]
        for slot, turn in turns:
            assert turn is not None
            had[slot].add(turn.target.implementation.name)
            turn.started -= 1.0
            schedule.give_back(turn, finished=True, fresh=1)
    assert had[0].isdisjoint(had[1])
    assert had[0] | had[1] == {"a", "b", "c", "d"}


def test_a_slot_has_rather_the_families_that_it_had_before() -> None:
    ways = [target("many", f"{family}{way}", family=family) for family in "abcdef" for way in range(3)]
    for way in ways:
        way.task = way.task.model_copy(update={"process": way.implementation.family})
    schedule = scheduled(*ways)
    had: list[set[str]] = [set(), set()]
    for number in range(60):
        turns = [(slot, schedule.take(slot=slot)) for slot in (0, 1)]
        for slot, turn in turns:
            assert turn is not None
            if number > 6:
                had[slot].add(turn.target.implementation.family)
            turn.started -= 1.0
            schedule.give_back(turn, finished=True, fresh=1)
    assert had[0].isdisjoint(had[1])
    assert max(way.spent for way in ways) - min(way.spent for way in ways) < 4


def test_a_slot_with_few_ways_of_a_family_does_not_keep_to_them() -> None:
    ways = [target("many", name, family="one") for name in "abcdef"]
    schedule = scheduled(*ways)
    for way in ways:
        turn = schedule.take(lambda one, way=way: one is way, slot=int(way is not ways[0]))
        assert turn is not None
        schedule.give_back(turn, finished=True, fresh=1)
    for _ in range(30):
        for turn in [schedule.take(slot=slot) for slot in (0, 1)]:
            assert turn is not None
            turn.started -= 1.0
            schedule.give_back(turn, finished=True, fresh=1)
    assert max(way.spent for way in ways) - min(way.spent for way in ways) < 4


def test_of_a_table_slow_ways_meet_as_many_entries_as_quick_ones() -> None:
    table = Table(entries=lambda: ["0", "1"], cases=lambda entry: OPERATOR.cases())
    ways = [target("many", name, family=name) for name in ("slow", "quick")]
    for way in ways:
        way.operator = replace(way.operator, drawing=replace(way.operator.drawing, table=table))
    other = target("single", "only")
    schedule = scheduled(*ways, other)
    for _ in range(60):
        turn = schedule.take()
        assert turn is not None
        turn.started -= 10.0 if turn.target is ways[0] else 1.0
        schedule.give_back(turn, finished=True, fresh=1)
    assert abs(len(ways[0].done) - len(ways[1].done)) <= 1
    assert abs(other.spent - sum(way.spent for way in ways)) < 11, "operators share the time all the same"


def test_of_a_table_the_ways_of_a_family_take_turns_though_one_meets_more_causes() -> None:
    table = Table(entries=lambda: ["0", "1"], cases=lambda entry: OPERATOR.cases())
    ways = [target("many", name, family="rich") for name in ("rich", "a", "b")]
    poor = target("many", "poor", family="poor")
    for way in (*ways, poor):
        way.operator = replace(way.operator, drawing=replace(way.operator.drawing, table=table))
    schedule = scheduled(*ways, poor)
    for _ in range(60):
        turn = schedule.take()
        assert turn is not None
        turn.causes = int(turn.target is ways[0])
        turn.started -= 1.0
        schedule.give_back(turn, finished=True, fresh=1)
    had = [len(way.done) for way in ways]
    assert max(had) - min(had) <= 1
    assert sum(had) >= 30, "what a way meets is its family's turn"


def test_of_a_table_a_family_keeps_no_turns_for_what_it_met_long_ago() -> None:
    table = Table(entries=lambda: ["0", "1"], cases=lambda entry: OPERATOR.cases())
    rich = [target("many", f"rich{number}", family="rich") for number in range(6)]
    others = [target("many", f"other{number}", family=f"other{number}") for number in range(5)]
    for way in (*rich, *others):
        way.operator = replace(way.operator, drawing=replace(way.operator.drawing, table=table))
    schedule = scheduled(*rich, *others)
    for number in range(60):
        turn = schedule.take()
        assert turn is not None
        turn.causes = int(turn.target is rich[0] and number < 20)
        turn.started -= 1.0
        schedule.give_back(turn, finished=True, fresh=1)
    assert sum(len(way.done) for way in rich) - min(len(way.done) for way in others) <= 4


def test_a_target_of_a_table_is_not_closed_for_entries_that_it_does_not_take() -> None:
    one = target("many", "picky")
    table = Table(entries=lambda: ["0", "1"], cases=lambda entry: OPERATOR.cases())
    one.operator = replace(one.operator, drawing=replace(one.operator.drawing, table=table))
    schedule = scheduled(one)
    for _ in range(BARREN_ENTRIES):
        turn = schedule.take()
        assert turn is not None
        schedule.give_back(turn, finished=True, fresh=0)
    assert schedule.take() is None


def test_a_target_without_anything_new_is_closed() -> None:
    schedule = scheduled(target("single", "only"))
    for _ in range(3):
        turn = schedule.take()
        assert turn is not None
        schedule.give_back(turn, finished=True, fresh=0)
    assert schedule.take() is None


def test_a_paused_batch_is_taken_up_before_the_next() -> None:
    schedule = scheduled(target("single", "only"))
    turn = schedule.take()
    assert turn is not None
    schedule.give_back(turn, finished=False, fresh=3)
    again = schedule.take()
    assert again is not None
    assert again.index == turn.index


def scheduled(*targets: Target, first_seconds: float = 0.0) -> Schedule:
    return Schedule(targets, 1.0, FirstTurns({}, first_seconds))


def ended(schedule: Schedule, turn: Turn, *, seconds: float, judged: bool = True) -> None:
    turn.started -= seconds
    turn.target.tally.row.cases += judged
    schedule.give_back(turn, finished=False, fresh=1)


def target(operator: str, name: str, family: str = "") -> Target:
    implementation = replace(OPERATOR.implementations[0], operator=operator, name=name, family=family)
    row = Row(operator=operator, implementation=name, device="cpu")
    task = Task(operator=operator, implementation=name, workload=[])
    return Target(replace(OPERATOR, name=operator), implementation, "cpu", task, Tally(row))


def test_a_row_counts_everything() -> None:
    tally = Tally(Row(operator="doubling", implementation="x", device="cpu"))
    compiles = [
        CompileRecord(layer="dynamo", frame="0", reason="first", seconds=2.0),
        CompileRecord(layer="inductor", frame="0", seconds=1.5),
        CompileRecord(layer="dynamo", frame="0", reason="size 3 != 4", seconds=1.0),
    ]
    wrong = Verdict(status=Status.WRONG_VALUE, reason="off by 3", oracle=Oracle.RMSE, surviving_mutants=("zeros",))
    near = passed(numbers={"excess": 0.25, "rmse": 3.0, "eager_rmse": 2.0})
    outcome = Outcome(
        verdicts=[near, wrong, skipped("odd")],
        compiles=compiles,
        compile_count=2,
        compile_note="fewer",
        launched=[{"sdd": 2, "dsd": 1}, {"sdd": 4}, {}],
        seconds=1.0,
    )
    tally.add([{"size": 3}, {"size": 3}, {"size": 4}], outcome)
    tally.add(
        [{"size": 3}, {"size": 5}], Outcome(verdicts=[], workload=Verdict(status=Status.CRASHED, reason="SIGSEGV"))
    )
    tally.add([{"size": 6}], Outcome(verdicts=[], workload=skipped("no worker")))
    tally.close()
    row = tally.row
    assert (row.cases, row.workloads, row.compiles, row.skipped, row.survived) == (3, 2, 2, 2, 1)
    assert (row.launches, row.seconds, row.compile_seconds, row.distinct_sizes) == (7, 1.0, 3.0, 3)
    assert row.launches_a_call == {"sdd": 4, "dsd": 1}
    assert row.skip_reasons == {"odd": 1, "no worker": 1}
    assert row.recompile_reasons == {"size N != N": 1}
    assert row.compiles_per_workload == {2: 1, 0: 1}
    assert row.compile_changes == {"fewer": 1}
    assert (row.closeness.limit, row.closeness.eager) == ({"30 %": 1}, {"2 ×": 1})  # of what passed, and was measured
    assert sum(tally.failures.values()) == 2


def test_failures_in_the_tally_have_the_signatures_of_findings() -> None:
    tally = Tally(Row(operator="doubling", implementation="x", device="cpu"))
    verdict = Verdict(status=Status.WRONG_VALUE, reason="off by 3", oracle=Oracle.RMSE)
    tally.add([{"size": 3}], Outcome(verdicts=[verdict]))
    finding = Finding(operator="doubling", implementation="x", device="cpu", verdict=verdict, workload=[])
    assert list(tally.failures) == [finding.signature]
    assert json.loads(finding.model_dump_json())
