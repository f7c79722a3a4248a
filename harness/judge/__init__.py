"""The judge: what is right, what an implementation may differ by, and whether a case can tell.

Its promises: docs/architecture.md#the-judge.
"""

from eagerdiff.harness.judge.blame import broken as broken
from eagerdiff.harness.judge.blame import ours_in_build as ours_in_build
from eagerdiff.harness.judge.blame import ours_in_call as ours_in_call
from eagerdiff.harness.judge.exceptions import framework_frame as framework_frame
from eagerdiff.harness.judge.exceptions import is_out_of_memory as is_out_of_memory
from eagerdiff.harness.judge.exceptions import lost_device as lost_device
from eagerdiff.harness.judge.exceptions import of_values as of_values
from eagerdiff.harness.judge.exceptions import one_line as one_line
from eagerdiff.harness.judge.exceptions import raised as raised
from eagerdiff.harness.judge.judge import check_guards as check_guards
from eagerdiff.harness.judge.judge import check_mutation as check_mutation
from eagerdiff.harness.judge.judge import judge as judge
from eagerdiff.harness.judge.judge import judge_raise as judge_raise
from eagerdiff.harness.judge.memory_faults import judge_memory as judge_memory
from eagerdiff.harness.judge.mutants import Discrimination as Discrimination
from eagerdiff.harness.judge.mutants import ask_mutants as ask_mutants
from eagerdiff.harness.judge.truth import Truth as Truth
from eagerdiff.harness.judge.truth import tell_truth as tell_truth

__all__ = [
    "Discrimination",
    "Truth",
    "ask_mutants",
    "broken",
    "check_guards",
    "check_mutation",
    "framework_frame",
    "is_out_of_memory",
    "judge",
    "judge_memory",
    "judge_raise",
    "lost_device",
    "of_values",
    "one_line",
    "ours_in_build",
    "ours_in_call",
    "raised",
    "tell_truth",
]
