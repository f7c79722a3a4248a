"""Replaying: the corpus run again, in worker processes, before anything is searched."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from eagerdiff.harness import devices
from eagerdiff.harness.catalog.catalog import Catalog
from eagerdiff.harness.corpus.evals import (
    Corpus,
    CorpusError,
    Entry,
    Kept,
    identify,
    known_failures,
    read_corpus,
    replay,
)
from eagerdiff.harness.corpus.turns import LastTurn, Turns, key_of
from eagerdiff.harness.model.outcome import Outcome
from eagerdiff.harness.processes import Worker, WorkerPool
from eagerdiff.harness.processes.catalog_tasks import task_for
from eagerdiff.harness.results.results import Replay
from eagerdiff.harness.search.confirmation import run_afresh
from eagerdiff.harness.triage.known import Known


def corpora(catalog: Catalog, folder: Path | None = None) -> list[Corpus]:
    """Read the corpora of each operator: what it comes with, and what a project keeps in a folder of its own.

    Raises CorpusError in one line for one that is malformed.
    """
    found: list[Corpus] = []
    for operator in catalog.operators.values():
        for path in (operator.extras.corpus, None if folder is None else folder / f"{operator.name}.yaml"):
            if path is None or not path.exists():
                continue
            corpus = read_corpus(path)
            if corpus.name != operator.name:
                raise CorpusError(f"corpus {path} is of {corpus.name}, not of {operator.name}")
            found.append(identified(corpus, catalog))
    return found


def identified(corpus: Corpus, catalog: Catalog) -> Corpus:
    """Say what each entry's implementation is, by the catalog where the entry does not; return the corpus."""
    found = catalog.implementations.get(corpus.name or "", {})
    return identify(corpus, {name: implementation.identity for name, implementation in found.items()})


def known(corpora: Iterable[Corpus]) -> Known:
    """Return what the corpora hold."""
    return Known.of(each for corpus in corpora for each in known_failures(corpus))


def without_unsearched_environments(
    corpora: Iterable[Corpus], catalog: Catalog, searched: Collection[str]
) -> list[Corpus]:
    """Leave out findings of what runs in an environment of its own, where its operator is not `searched`.

    Such a process takes seconds to start: who has installed the environment does not pay for it in each run.
    """

    def left_out(operator: str, name: str) -> bool:
        found = catalog.implementations.get(operator, {}).get(name)
        return operator not in searched and found is not None and found.requires.environment is not None

    def kept(corpus: Corpus) -> list[Entry]:
        return [one for one in corpus.cases if not left_out(str(corpus.name), one.inputs.implementation)]

    return [Corpus(name=corpus.name, cases=kept(corpus)) for corpus in corpora]


@dataclass
class Replayer:
    """Replay kept findings, each in a worker process of its device."""

    catalog: Catalog
    worker_pool: WorkerPool
    progress: Callable[[], None] = lambda: None
    """Called after each, from the thread that ran it."""
    slots: int = 1
    """How many run at once."""
    going: Callable[[], bool] = lambda: True
    """What is left when it says no is skipped."""

    def replay(self, corpus: Corpus) -> list[Replay]:
        """Run every entry of a corpus and say how it behaves; one that cannot run here is SKIPPED with the reason."""

        def run(kept: Kept) -> Outcome | str:
            try:
                return self._run(str(corpus.name), kept) if self.going() else "interrupted"
            finally:
                self.progress()

        return replay(corpus, run, slots=self.slots)

    def replay_in_turn(self, entries: Sequence[tuple[Corpus, Entry]], turns: Turns) -> list[Replay]:
        """Run entries in their order while `going` says yes; the others are WAITING for a later run."""
        outcomes: dict[int, Outcome | str] = {}  # by place: corpora of one operator may name entries alike

        def run(place: int) -> None:
            corpus, entry = entries[place]
            if self.going():
                began = time.monotonic()
                outcomes[place] = self._run(str(corpus.name), entry.inputs)
                turns.last[key_of(corpus, entry)] = LastTurn.ending_now(time.monotonic() - began)
            self.progress()

        with ThreadPoolExecutor(self.slots) as pool:
            list(pool.map(run, range(len(entries))))
        rows = [_waiting(*one) for place, one in enumerate(entries) if place not in outcomes]
        for corpus in {id(one): one for one, _ in entries}.values():
            own = {place: entries[place][1] for place in sorted(outcomes) if entries[place][0] is corpus}
            seen = {entry.inputs.model_dump_json(): outcomes[place] for place, entry in own.items()}
            found = Corpus(name=corpus.name, cases=[*own.values()])
            rows += replay(found, lambda kept, seen=seen: seen[kept.model_dump_json()]) if own else []
        return rows

    def _run(self, operator: str, kept: Kept) -> Outcome | str:
        if reason := self._obstacle(operator, kept):
            return reason
        with Worker(kept.device, worker_pool=self.worker_pool) as worker:
            task = task_for(self.catalog, operator, kept.implementation)
            return run_afresh(worker, task.model_copy(update={"workload": kept.workload}))

    def _obstacle(self, operator: str, kept: Kept) -> str | None:
        try:
            self.catalog.operator(operator)
            self.catalog.implementation(operator, kept.implementation)
            return devices.parse(kept.device).unavailable()
        except (KeyError, ValueError) as error:
            return str(error.args[0])


def _waiting(corpus: Corpus, entry: Entry) -> Replay:
    return Replay(
        operator=str(corpus.name),
        implementation=entry.inputs.implementation,
        device=entry.inputs.device,
        name=str(entry.name),
        status="WAITING",
        reason="no time was left in this run",
    )
