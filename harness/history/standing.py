"""Standings: how each finding stands, by what nights saw of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from eagerdiff.harness.history.night import Night, Ran, Sighting
from eagerdiff.harness.results.past import Change, Past, Point, Standing, State, Trend

SUBJECTS = ("python", "torch", "triton", "platform", "gpu", "commit")
"""What of an environment may change how a finding stands."""
POINTS = 30
"""Most nights of a trend."""


@dataclass(frozen=True)
class _Look:
    """One night's sight of a finding, with what that night ran on."""

    sighting: Sighting
    when: str
    settings: dict[str, str]


def past_of(nights: Sequence[Night]) -> Past:
    """Return what nights say, the last of which is tonight's. None: nothing is known."""
    if not nights:
        return Past(nights=0)
    *before, tonight = nights
    looks: dict[tuple[str, str], list[_Look]] = {}
    for night in nights:
        for seen in night.seen:
            looks.setdefault(seen.key, []).append(_Look(seen, night.when, _settings(night, seen.revision)))
    standings = [_standing(found, tonight.when) for found in looks.values()]
    return Past(
        nights=len(before),
        before=before[-1].when if before else "",
        changed=_changes(_settings(before[-1], ""), _settings(tonight, "")) if before else [],
        standings=sorted(standings, key=_order),
        trends=_trends(nights),
    )


def _settings(night: Night, revision: str) -> dict[str, str]:
    known = {name: night.environment[name] for name in SUBJECTS if name in night.environment}
    return {**known, "kernel": revision}


def _changes(before: dict[str, str], now: dict[str, str]) -> list[Change]:
    names = dict.fromkeys([*before, *now])
    return [
        Change(what=name, before=before.get(name, ""), now=now.get(name, ""))
        for name in names
        if before.get(name, "") != now.get(name, "")
    ]


def _standing(looks: Sequence[_Look], tonight: str) -> Standing:
    """Return how a finding stands after all sights of it, the earliest first."""
    first = looks[0].sighting  # what nobody found was kept in a corpus before there was a history
    state = State.NEW if first.found else State.STILL if first.fails else State.FIXED
    since, changed = looks[0].when, list[Change]()
    for last, look in pairwise(looks):
        found = _changes(last.settings, look.settings)
        if look.sighting.fails == last.sighting.fails:
            if state in (State.NEW, State.RETURNED):
                state = State.STILL  # since the night that brought it
            elif state is State.FLAKY and found:
                state, since, changed = State.STILL if look.sighting.fails else State.FIXED, look.when, found
            continue
        turned = State.RETURNED if look.sighting.fails else State.FIXED
        state, since, changed = turned if found else State.FLAKY, look.when, found
    failing = [look for look in looks if look.sighting.fails]
    latest = looks[-1]
    return Standing(
        operator=latest.sighting.operator,
        implementation=latest.sighting.implementation,
        device=latest.sighting.device,
        name=latest.sighting.name,
        what=(failing or [latest])[-1].sighting.what,
        state=state,
        found=any(look.sighting.found for look in looks),
        tonight=latest.when == tonight,
        since=since,
        first_seen=looks[0].when,
        last_seen=latest.when,
        changed=changed,
    )


def _order(standing: Standing) -> tuple[bool, int, str, str]:
    return not standing.turned, list(State).index(standing.state), standing.operator, standing.name


def _trends(nights: Sequence[Night]) -> list[Trend]:
    """Return the trends of what ran tonight."""
    points: dict[tuple[str, str, str], list[Point]] = {}
    for night in nights:
        for one in night.ran:
            point = Point(
                when=night.when,
                cases=one.cases,
                compiles=one.compiles,
                failures=one.failures,
                seconds=one.seconds,
                compile_seconds=one.compile_seconds,
            )
            points.setdefault(_key(one), []).append(point)
    return [
        Trend(operator=operator, implementation=name, device=device, points=points[operator, name, device][-POINTS:])
        for operator, name, device in map(_key, nights[-1].ran)
    ]


def _key(ran: Ran) -> tuple[str, str, str]:
    return ran.operator, ran.implementation, ran.device
