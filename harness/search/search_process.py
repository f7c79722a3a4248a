"""The search process: draws, checks and shrinks for one operator, apart from the campaign.

What an author wrote for the search (strategies, predicates, what a workload consists of) runs here and nowhere else.
What is under test does not: the campaign is asked to have each workload run. Messages are JSON: `Order` in,
then questions (`Run`, `Claim`, `Going`) each with its answer, then `Report`.
"""

import os
import sys
from multiprocessing.connection import Connection
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from eagerdiff.harness.catalog.plugin import in_one_line
from eagerdiff.harness.model.operator import Operator
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.model.workload import Workload
from eagerdiff.harness.processes.serving import limit_memory, settle
from eagerdiff.harness.processes.task import Task, Unresolved, resolve
from eagerdiff.harness.search.batch import Batch
from eagerdiff.harness.search.drawing import MOST_CALLS, BrokenPredicate
from eagerdiff.harness.search.examples import Examples
from eagerdiff.harness.search.hunt import Ours, Report, Shrinking, Stopped
from eagerdiff.harness.triage.finding import Finding

STOP = b""
"""The answer that ends a search: what was found so far is reported. To a report it is the only one."""
YES, NO = b"1", b"0"
"""Answers to whether; to a claim the number of an `Ours`."""


class Message(BaseModel):
    """Carry what goes between a search process and the campaign."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


class Order(Message):
    """Say which batch to explore, and how far."""

    task: Task
    """Without cases."""
    device: str
    index: int
    campaign_seed: int = 0
    examples: int = 20
    max_cases: int = MOST_CALLS
    seconds: float
    """Of shrinking."""
    runs: int
    """Of shrinking."""
    known: str = ""
    """The example database: a folder, or an address of Redis."""


class Run(Message):
    """Ask what a workload comes to; the answer is an `Outcome` with its verdicts."""

    asks: Literal["run"] = "run"
    workload: list[dict[str, Any]]
    about: tuple[str, ...] = ()


class Claim(Message):
    """Ask whether a finding is new, and ours to shrink; the answer is the number of an `Ours`."""

    asks: Literal["claim"] = "claim"
    finding: Finding


class Going(Message):
    """Ask whether there is time to draw more."""

    asks: Literal["going"] = "going"


class Done(Message):
    """Tell what came of it."""

    asks: Literal["done"] = "done"
    report: Report


MESSAGE: TypeAdapter[Run | Claim | Going | Done] = TypeAdapter(Run | Claim | Going | Done)


def serve(descriptors: list[int], limits: dict[str, Any], device_name: str, fork_server: int) -> None:
    """Explore the batches that are ordered on the first descriptor; everything printed goes to the second."""
    channel, output = descriptors
    settle(output, fork_server)
    limit_memory(limits["memory"])
    campaign = _Campaign(Connection(channel))
    while (order := campaign.order()) is not None:
        campaign.report(_report(order, campaign))


def _report(order: Order, campaign: "_Campaign") -> Report:
    try:
        operator, implementation = resolve(order.task)
        campaign.operator = operator
        batch = Batch(
            operator, implementation, order.device, order.index, order.campaign_seed, order.examples, order.max_cases
        )
        bounds = Shrinking(order.seconds, order.runs)
        return batch.explore(campaign.run, campaign.claim, campaign.going, bounds, campaign.examples(order.known))
    except Unresolved as error:
        return Report(broken=str(error))
    except BaseException as error:  # noqa: BLE001  whatever an author's code raises, Ctrl-C and exits included, is told
        return Report(broken=f"drawing raised {in_one_line(error)}")


class _Campaign:
    """Talk to the campaign from inside the search process."""

    def __init__(self, connection: Connection) -> None:
        self.operator: Operator | None = None
        self._connection = connection
        self._pid = os.getpid()
        self._stopped = False
        self._examples: dict[str, Examples] = {}

    def order(self) -> Order | None:
        """Return the next order; None where the campaign is gone."""
        self._stopped = False
        try:
            return Order.model_validate_json(self._connection.recv_bytes())
        except EOFError:
            return None

    def examples(self, where: str) -> Examples | None:
        """Return the example database of an order, which stays open from one to the next."""
        if where and where not in self._examples:
            self._examples[where] = Examples(where)
        return self._examples[where] if where else None

    def run(self, workload: Workload) -> Outcome:
        assert self.operator is not None
        try:
            about = self.operator.showing.about_of(workload)
        except BaseException as error:
            raise BrokenPredicate(f"about raised {in_one_line(error)}") from error
        return Outcome.model_validate_json(self._ask(Run(workload=workload.to_data(), about=about)))

    def claim(self, finding: Finding) -> Ours:
        return Ours(int(self._ask(Claim(finding=finding))))

    def going(self) -> bool:
        return not self._stopped and self._ask(Going()) == YES

    def report(self, report: Report) -> None:
        self._tell(Done(report=report))
        self._connection.recv_bytes()

    def _tell(self, message: Message) -> None:
        if os.getpid() != self._pid:  # a strategy that forked came back twice: one of the two is enough
            os._exit(1)
        sys.stdout.flush()
        self._connection.send_bytes(message.model_dump_json().encode())

    def _ask(self, message: Message) -> bytes:
        self._tell(message)
        answer = self._connection.recv_bytes()
        if answer == STOP:
            self._stopped = True
            raise Stopped
        return answer
