"""Signatures that are looked up: they explain what those do that are asked in turn, in no time where there are many."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff.harness.campaign.distinct import Distinct
from eagerdiff.harness.campaign.harvest import Harvest
from eagerdiff.harness.model.identity import Identity, Stage
from eagerdiff.harness.model.verdict import Oracle, Status, Verdict
from eagerdiff.harness.triage.explained import Signatures
from eagerdiff.harness.triage.finding import Finding
from eagerdiff.harness.triage.signature import FailureSignature, Symptom, explaining

IDENTITIES = [Identity(), Identity(backend="aot", stage=Stage.AOT), Identity(backend="inductor", stage=Stage.INDUCTOR)]
SIGNATURES = st.builds(
    FailureSignature,
    operator=st.sampled_from("ab"),
    implementation=st.sampled_from("xy"),
    identity=st.sampled_from(IDENTITIES),
    about=st.sampled_from([(), ("add",), ("add", "mul"), ("mul",)]),
    symptom=st.sampled_from(
        [Symptom(status=None), Symptom(status=Status.RAISED, where="f"), Symptom(status=Status.WRONG_VALUE)]
    ),
)


@settings(deadline=None)
@given(st.lists(SIGNATURES), SIGNATURES)
def test_what_is_looked_up_explains_as_what_is_asked_in_turn(
    held: list[FailureSignature], failure: FailureSignature
) -> None:
    found = Signatures(held)
    assert set(found.all_explaining(failure)) == {one for one in held if one.explains(failure)}
    assert (found.explaining(failure) is None) == (explaining(held, failure) is None)
    assert (failure in found) == (failure in held)


def met(number: int) -> Finding:
    cause = "".join(chr(ord("a") + int(digit)) for digit in str(number % 500))
    frame = f"torch/_inductor/lowering.py:{cause}"
    verdict = Verdict(
        status=Status.RAISED, oracle=Oracle.RAISE, reason="it raised", frame=frame, origin=frame, exceptions=("E",)
    )
    return Finding(
        operator="programs", implementation="inductor", identity=IDENTITIES[2], device="cpu", verdict=verdict,
        workload=[], about=(f"operation {number}",),
    )  # fmt: skip


def test_ten_thousand_findings_of_five_hundred_causes_slow_no_search_down() -> None:
    """The last thousand take little more CPU time than the first: 19 times as much if each were held against all."""
    harvest, times = Harvest(), list[float]()
    for thousand in range(10):
        findings = [met(1000 * thousand + number) for number in range(1000)]
        began = time.thread_time()
        for finding in findings:
            harvest.claim(finding)
            harvest.keep(finding)
            harvest.tell(finding)
        times.append(time.thread_time() - began)
    assert harvest.count == 10_000
    assert times[-1] < 8 * times[0] + 0.2


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 12_000), max_size=3), st.integers(0, 9000))
def test_different_things_are_counted_once(more: list[int], count: int) -> None:
    counted = Distinct()
    for number in [*range(count), *range(count), *more]:
        counted.add(str(number))
    assert len(counted) == len({*range(count), *more})
