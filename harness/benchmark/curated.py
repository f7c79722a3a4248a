"""The curated set: few pairs that have every family, back end, mode and workload among them."""

from collections.abc import Collection, Iterable, Mapping

from eagerdiff.harness.benchmark.subject import OFFLINE, Subject
from eagerdiff.harness.model.identity import Stage

SECONDS: Mapping[Stage | None, float] = {
    None: 2.0,
    Stage.DYNAMO: 5.0,
    Stage.AOT: 8.0,
    Stage.DECOMPOSED: 6.0,
    Stage.EXPORT: 4.0,
    Stage.INDUCTOR: 13.0,
    Stage.AOT_INDUCTOR: 20.0,
}
"""What a pair takes on one core on average, by where its compiler ends."""
OFFLINE_SECONDS = 1.0


def curated_subjects(found: Iterable[Subject]) -> list[Subject]:
    """Choose pairs, cheap ones first, until each trait of any pair is one of a chosen pair's: pairs, not products."""
    left = sorted(
        (one for one in found if plain(one)), key=lambda one: (seconds_of(one), len(one.workload.cases), one.name)
    )
    missing = {trait for one in left for trait in traits(one)}
    chosen: list[Subject] = []
    while missing:
        best = max(left, key=lambda one: len(traits(one) & missing) / seconds_of(one))
        chosen.append(best)
        missing -= traits(best)
    return sorted(chosen, key=lambda one: one.name)


def covered(subjects: Iterable[Subject], measured: Collection[str]) -> dict[str, tuple[int, list[str]]]:
    """Return by kind of trait how many there are, and those that no pair has whose name is among the measured."""
    there = [one for one in subjects if plain(one)]
    have = {trait for one in there if one.name in measured for trait in traits(one)}
    kinds: dict[str, list[tuple[str, ...]]] = {}
    for trait in sorted({trait for one in there for trait in traits(one)}):
        kinds.setdefault(trait[0], []).append(trait)
    return {
        kind: (len(found), [" ".join(filter(None, trait[1:])) for trait in found if trait not in have])
        for kind, found in kinds.items()
    }


def plain(subject: Subject) -> bool:
    """Say whether nothing but the code under test takes the time: variants go through caches and other processes."""
    way = subject.implementation
    return not way.variant or way.stage in (Stage.EXPORT, Stage.AOT_INDUCTOR)


def traits(subject: Subject) -> set[tuple[str, ...]]:
    """Return what a pair stands for: families and back ends by operator, modes, variants, kernels, workloads."""
    way, operator = subject.implementation, subject.operator.name
    found = {
        ("family", operator, way.family),
        ("back end", operator, way.backend),
        ("mode", way.backend, way.mode_name),
        ("variant", way.backend, way.variant),
        ("workload", operator, subject.title),
    }
    return found | {("kernel", operator, way.name)} if way.hand_written else found


def seconds_of(subject: Subject) -> float:
    """Return about how many seconds a pair takes on one core."""
    return OFFLINE_SECONDS if subject.on == OFFLINE else SECONDS[subject.implementation.stage]
