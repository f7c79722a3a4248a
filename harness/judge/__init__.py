"""The judge: what is right, what an implementation may differ by, and whether a case can tell (DESIGN §4)."""

from harness.judge.exceptions import framework_frame as framework_frame
from harness.judge.exceptions import is_out_of_memory as is_out_of_memory
from harness.judge.exceptions import lost_device as lost_device
from harness.judge.exceptions import one_line as one_line
from harness.judge.exceptions import raised as raised
from harness.judge.judge import check_guards as check_guards
from harness.judge.judge import check_mutation as check_mutation
from harness.judge.judge import judge as judge
from harness.judge.judge import judge_raise as judge_raise
from harness.judge.mutants import Discrimination as Discrimination
from harness.judge.mutants import ask_mutants as ask_mutants
from harness.judge.truth import Truth as Truth
from harness.judge.truth import tell_truth as tell_truth

__all__ = [
    "Discrimination",
    "Truth",
    "ask_mutants",
    "check_guards",
    "check_mutation",
    "framework_frame",
    "is_out_of_memory",
    "judge",
    "judge_raise",
    "lost_device",
    "one_line",
    "raised",
    "tell_truth",
]
