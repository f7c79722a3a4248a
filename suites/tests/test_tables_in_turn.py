"""Entries of a table are taken in turn: by all ways, by those of a back end in parts, and on the next night."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from eagerdiff import Drawing, Implementation, Operator, Outcome, Table, Workload
from eagerdiff.harness.model.verdict import passed
from eagerdiff.harness.search.batch import Batch
from eagerdiff.suites.tests.misbehaving import OPERATOR, Doubling

ENTRIES = [str(size) for size in range(60)]
DRAWING = Drawing(
    table=Table(entries=lambda: ENTRIES, cases=lambda entry: st.builds(Doubling, size=st.just(int(entry))))
)
RIGHT = next(found for found in OPERATOR.implementations if found.name == "right")


def met(operator: Operator, way: Implementation, examples: int, seed: int = 0) -> list[int]:
    """Return the entries that so many examples are of, in their order."""
    found: list[int] = []

    def run(workload: Workload) -> Outcome:
        found.append(workload.cases[0].size)
        return Outcome(verdicts=[passed()], workload=passed())

    Batch(operator, way, "cpu", campaign_seed=seed, examples=examples).explore(run)
    return found


def of_back_end(name: str, ways: Sequence[str]) -> list[Implementation]:
    return [replace(RIGHT, name=f"{name}.{way}", backend=name) for way in ways]


def test_the_entries_of_a_table_are_taken_in_turn_by_all_implementations_together() -> None:
    operator = replace(OPERATOR, drawing=DRAWING)
    examples = len(ENTRIES) // len(OPERATOR.implementations) + 1
    found = [met(operator, one, examples) for one in OPERATOR.implementations]
    together = {size for some in found for size in some}
    assert len(together) > 0.75 * len(ENTRIES)  # drawn independently of one another two in three are met
    assert met(operator, OPERATOR.implementations[0], examples) == found[0]
    assert len(set(found[0])) == examples


def test_the_ways_of_a_back_end_meet_all_entries_of_a_table_once_each_has_met_its_part() -> None:
    ways = [of_back_end("one", "ab"), of_back_end("two", "abc"), of_back_end("three", "abcd")]
    operator = replace(OPERATOR, drawing=DRAWING, implementations=[one for found in ways for one in found])
    begins: set[int] = set()
    for found in ways:
        each = [met(operator, one, len(ENTRIES) // len(found)) for one in found]
        assert sorted({size for some in each for size in some}) == list(range(60))
        begins.add(each[0][0])
    assert len(begins) == len(ways)


def test_a_way_that_meets_more_than_its_part_meets_what_the_way_before_it_would_meet_last() -> None:
    ways = of_back_end("one", "abc")
    operator = replace(OPERATOR, drawing=DRAWING, implementations=ways)
    each = [met(operator, way, examples) for way, examples in zip(ways, (15, 25, 20), strict=True)]
    assert sorted(size for some in each for size in some) == list(range(60))
    assert sorted(met(operator, ways[1], 60)) == list(range(60))


def test_what_a_way_lacks_the_other_ways_of_its_back_end_meet_and_it_takes_that_last() -> None:
    a, b, c = of_back_end("one", "abc")
    b = replace(b, lacks=lambda entry: "not even" if int(entry) % 2 else None)
    operator = replace(OPERATOR, drawing=DRAWING, implementations=[a, b, c])
    each = [met(operator, way, 20) for way in (a, b, c)]
    assert sorted(size for some in each for size in some) == list(range(60))
    assert not [size for size in each[1] if size % 2]
    assert [size % 2 for size in met(operator, b, 60)] == [0] * 30 + [1] * 30


def test_the_next_night_takes_other_entries_of_a_table_than_the_last() -> None:
    operator = replace(OPERATOR, drawing=DRAWING)
    nights = [set(met(operator, RIGHT, 12, seed)) for seed in range(20261126, 20261131)]
    assert not nights[0] & nights[1]
    assert len(set.union(*nights)) >= 0.9 * len(ENTRIES)  # a fifth each, of five nights; by chance two in three
