"""What group testing saves of drawn programs: each compiled alone, and several side by side in one graph.

`python -m eagerdiff.suites.benchmarks.grouped [operator/implementation@device ...]` draws workloads whose programs go
together (no gradients, writes, random numbers or graph breaks), runs each alone, then joined by twos, fours and eights.
A group that is not right throughout is split: its programs' own runs count too. It prints CPU seconds, their ratio, the
groups that were split, and the failures that a program shows alone and its group does not.
"""

import json
import sys
from collections.abc import Sequence

from eagerdiff import Batch, Outcome, Workload, execute
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.inference import Typing, infer
from eagerdiff.strategies.programs.operation import IllTyped
from eagerdiff.strategies.programs.program import MOST_NODES, Input, Node, Program
from eagerdiff.strategies.programs.rendering import operations, result_count
from eagerdiff.strategies.programs.table import OPERATIONS

from .anew import cpu_time
from .sampling import activated, alone

SUBJECTS = ("programs/inductor.dynamic@cpu", "programs/inductor.unbacked+hinted@cpu")
COUNT = 24
"""Programs."""
TOGETHER = (2, 4, 8)
SEED = 7


def measure(subject: str) -> dict[str, float]:
    """Run programs alone and together in this process; return CPU seconds and counts by name."""
    operator, implementation, device = activated(subject)
    drawn: list[Workload[ProgramCase]] = []

    def collect(workload: Workload[ProgramCase]) -> Outcome:
        if joined([workload, workload]) is not None and not workload.cases[0].program.gradients:
            drawn.append(workload)
        return Outcome(verdicts=[])

    index = 1
    while len(drawn) < COUNT:
        Batch(operator, implementation, device.name, index=index, campaign_seed=SEED, examples=4).explore(collect)
        index += 1
    execute(operator, implementation, drawn[0], device)  # what comes once a process

    def run(workload: Workload[ProgramCase]) -> tuple[Outcome, float]:
        before = cpu_time()
        outcome = execute(operator, implementation, workload, device)
        return outcome, cpu_time() - before

    by_itself = list(map(run, drawn[:COUNT]))
    found = {"alone": sum(seconds for _, seconds in by_itself)}
    for count in TOGETHER:
        spent, split, hidden = 0.0, 0, 0
        for at in range(0, COUNT, count):
            own = by_itself[at : at + count]
            together = joined(drawn[at : at + count])
            outcome, seconds = run(together) if together is not None else (Outcome(verdicts=[]), 0.0)
            spent += seconds
            if not outcome.right:
                split += together is not None
                spent += sum(own_seconds for _, own_seconds in own)
            else:
                hidden += sum(one.first_failure is not None for one, _ in own)
        found |= {f"{count}": spent, f"{count} split": split, f"{count} hidden": hidden}
    return found


def main(subjects: Sequence[str]) -> None:
    """Print a line a subject and number of programs."""
    print(f"{'subject':44} {'together':>8} {'alone':>7} {'joined':>7}  ratio  split  hidden")
    for subject in subjects:
        found = alone("grouped", subject)
        for count in TOGETHER:
            apart, together = found["alone"], found[f"{count}"]
            line = f"{subject:44} {count:8} {apart:7.1f} {together:7.1f}  {apart / together:.2f}x"
            print(f"{line} {found[f'{count} split']:6.0f} {found[f'{count} hidden']:7.0f}", flush=True)


def joined(workloads: Sequence[Workload[ProgramCase]]) -> Workload[ProgramCase] | None:
    """Return calls of one program that gives what those of several workloads give; None where they do not go together.

    Symbols of one name are one size: a call has the first workload's sizes, and of others what that one lacks.
    """
    programs = [workload.cases[0].program for workload in workloads]
    if len({program.gradients for program in programs}) > 1 or any(map(_stands_alone, programs)):
        return None
    try:
        program = side_by_side(programs)
        typing = infer(program)
    except (IllTyped, ValueError):
        return None
    count = max(len(workload.cases) for workload in workloads)
    calls = [_call([one.cases[at % len(one.cases)] for one in workloads], program, typing) for at in range(count)]
    found = [call for call in calls if call is not None]
    return Workload(tuple(found)) if len(found) == count else None


def side_by_side(programs: Sequence[Program]) -> Program:
    """Return a program whose inputs, operations and outputs are those of others, in order.

    Raises ValueError for more operations than a program has.
    """
    inputs: list[Input] = [given for program in programs for given in program.inputs]
    nodes: list[Node] = []
    outputs: list[int] = []
    first_input, first_result = 0, len(inputs)
    for program in programs:
        count = len(program.inputs)

        def moved(value: int, count: int = count, at: int = first_input, after: int = first_result) -> int:
            return at + value if value < count else after + value - count

        for node in program.nodes:
            nodes.append(node.model_copy(update={"args": tuple(map(moved, node.args))}))
            first_result += result_count(OPERATIONS[node.op], node)
        outputs += map(moved, program.outputs)
        first_input += count
    if len(nodes) > MOST_NODES:
        raise ValueError(f"{len(nodes)} operations, at most {MOST_NODES}")
    return Program(inputs=tuple(inputs), nodes=tuple(nodes), outputs=tuple(outputs), gradients=programs[0].gradients)


def _stands_alone(program: Program) -> bool:
    """Whether it would change what others do: by breaking the graph, by random numbers, by writing."""
    return any(one.graph_break or one.random or one.writes for one in operations(program))


def _call(cases: Sequence[ProgramCase], program: Program, typing: Typing) -> ProgramCase | None:
    """Return one call of each case's program as one of all; None where no sizes are for all."""
    sizes = {name: size for case in reversed(cases) for name, size in case.sizes.items()}
    sizes = {name: max(sizes.get(name, least), least) for name, least in typing.floors.items()}
    if typing.allows(sizes) is not None:
        sizes = dict(typing.floors)
    if typing.allows(sizes) is not None:
        return None
    return cases[0].model_copy(
        update={
            "program": program,
            "sizes": sizes,
            "layouts": tuple(case.layout(at) for case in cases for at in range(len(case.program.inputs))),
            "fills": tuple(case.fill(at) for case in cases for at in range(len(case.program.inputs))),
            "numbers": tuple(number for case in cases for number in _numbers(case)),
        }
    )


def _numbers(case: ProgramCase) -> tuple[float, ...]:
    """Return the Python floats of a call, each that it has none for 1.0."""
    count = sum(given.kind == "float" for given in case.program.inputs)
    return (*case.numbers, *(1.0 for _ in range(count)))[:count]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(sys.argv[2])))
    else:
        main(sys.argv[1:] or SUBJECTS)
