"""The curated set: few pairs that have every family, back end, mode and workload among them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from eagerdiff.harness.benchmark.subject import OFFLINE, Subject
from eagerdiff.harness.model.identity import Stage

SECONDS: Mapping[Stage | None, float] = {
    None: 0.3,
    Stage.DYNAMO: 1.0,
    Stage.AOT: 2.0,
    Stage.DECOMPOSED: 2.2,
    Stage.EXPORT: 1.0,
    Stage.INDUCTOR: 4.0,
    Stage.AOT_INDUCTOR: 15.0,
    Stage.ENGINE: 5.0,
}
"""What a pair takes on one core for a program of a few operations, by where its compiler ends."""
RECOMPILED = 2.5
"""How many times as long a pair takes whose mode compiles a size more than once: for 0, for 1, for a bucket."""
OFFLINE_SECONDS = 0.2


def curated_subjects(found: Iterable[Subject]) -> list[Subject]:
    """Choose pairs by what they add for their seconds, until each trait of any pair is one of a chosen pair's.

    Pairs, not products. They come cheap ones first; none is left whose traits the others have.
    """
    left = sorted(
        (one for one in found if plain(one)), key=lambda one: (seconds_of(one), len(one.workload.cases), one.name)
    )
    traits_of = {one.name: traits(one) for one in left}
    missing = {trait for one in left for trait in traits_of[one.name]}
    chosen: list[Subject] = []
    while missing:
        best = max(left, key=lambda one: len(traits_of[one.name] & missing) / seconds_of(one))
        chosen.append(best)
        missing -= traits_of[best.name]
    return _needed(sorted(chosen, key=lambda one: (seconds_of(one), one.name)), traits_of)


def _needed(chosen: Sequence[Subject], traits_of: Mapping[str, set[tuple[str, ...]]]) -> list[Subject]:
    """Leave out whose traits the others have, the dearest first."""
    have = Counter(trait for one in chosen for trait in traits_of[one.name])
    kept = list(chosen)
    for one in reversed(chosen):
        if all(have[trait] > 1 for trait in traits_of[one.name]):
            kept.remove(one)
            have.subtract(traits_of[one.name])
    return kept


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
    if subject.on == OFFLINE:
        return OFFLINE_SECONDS
    way = subject.implementation
    once = way.mode is None or (way.mode.policy in ("static", "mark_dynamic", "unbacked") and not way.mode.padded)
    return SECONDS[way.stage] * subject.operator.extras.compile_weight * (1 if once else RECOMPILED)
