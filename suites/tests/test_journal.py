"""The journal loses nothing that was written, whatever happens to the writer or to the file."""

import base64
import errno
import itertools
import json
import math
import os
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.campaign import record
from eagerdiff.harness.campaign.events import (
    MOST_BYTES,
    VERSION,
    Began,
    Drawn,
    Judged,
    Started,
    TargetKey,
    event_of,
    seal,
)
from eagerdiff.harness.campaign.journal import Journal, JournalEnded
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.model.outcome import CompileRecord, Outcome
from eagerdiff.harness.model.verdict import Status, Verdict, passed
from eagerdiff.harness.model.workload import Workload
from eagerdiff.suites.tests.misbehaving import Doubling

A, B = (TargetKey("doubling", name, "cpu") for name in ("a", "b"))
WORKLOAD = Workload.of(Doubling(size=3), Doubling(size=17, seed=5))
OUTCOME = Outcome(
    verdicts=[
        passed(),
        Verdict(status=Status.WRONG_VALUE, reason="off", numbers={"rmse": math.inf}, surviving_mutants=("zeros",)),
    ],
    compiles=[CompileRecord(layer="dynamo", reason="size 3")],
    compile_count=2,
    seconds=0.5,
)
RIGHT = Outcome(verdicts=[passed(), passed()])


def test_an_outcome_is_found_again_after_reopening(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        assert journal.claim(A, WORKLOAD, 0) is None
        journal.judged(A, WORKLOAD, OUTCOME)
    with Journal(tmp_path / "journal") as journal:
        assert journal.outcome(A, WORKLOAD) == OUTCOME
        assert journal.claim(A, WORKLOAD, 1) == OUTCOME
        assert journal.outcome(B, WORKLOAD) is None


def test_the_description_is_on_disk_before_the_outcome(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 7)
        event = event_of((tmp_path / "journal").read_bytes())
    assert isinstance(event, Started)
    assert (event.batch, event.digest) == (7, WORKLOAD.digest)
    assert Workload.from_data(Doubling, event.workload) == WORKLOAD


def test_a_torn_last_line_is_dropped_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.note(Drawn(target=A, batch=1, unsupported=[]))
        journal.judged(A, WORKLOAD, OUTCOME)
    path.write_bytes(path.read_bytes()[:-20])
    with Journal(path) as journal:
        assert journal.outcome(A, WORKLOAD) is None
        journal.judged(A, WORKLOAD, OUTCOME)
        assert journal.outcome(A, WORKLOAD) == OUTCOME
        assert journal.record.damaged == 0
    assert [event.event for event in Record(path).events()] == ["batch", "verdict"]


def test_a_workload_runs_once_when_two_threads_draw_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 0)
        found: list[Outcome | None] = []
        waiting = threading.Thread(target=lambda: found.append(journal.claim(A, WORKLOAD, 1)))
        waiting.start()
        time.sleep(0.05)
        assert not found
        journal.judged(A, WORKLOAD, OUTCOME)
        waiting.join(5)
    assert found == [OUTCOME]


def test_an_abandoned_workload_is_claimed_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 0)
        journal.abandon(A, WORKLOAD)
        assert journal.claim(A, WORKLOAD, 0) is None


@pytest.mark.parametrize("end", ["end", "close", "full disk"])
def test_whoever_waits_for_a_workload_is_let_go_when_the_journal_ends(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            journal.claim(A, WORKLOAD, 1)
        except JournalEnded as error:
            ended.append(error)

    with Journal(tmp_path / "journal") as journal:
        journal.claim(A, WORKLOAD, 0)
        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        if end == "full disk":
            monkeypatch.setattr(os, "write", full)
            with pytest.raises(JournalEnded):
                journal.judged(A, WORKLOAD, OUTCOME)
            monkeypatch.undo()
            assert "No space left on device" in journal.failure
            assert str(journal.path) in journal.failure
        else:
            getattr(journal, end)()
        waiting.join(5)
        assert ended


def full(descriptor: int, data: bytes) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def note_for_ever(journal: Journal) -> None:
    for batch in itertools.count():
        journal.note(Drawn(target=A, batch=batch, unsupported=[]))


def test_half_a_line_that_the_disk_did_not_take_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, room = os.write, 1000

    def until_full(descriptor: int, data: bytes) -> int:
        nonlocal room
        room -= len(data[:room]) if room else full(descriptor, data)
        return write(descriptor, data[: len(data) if room else 5])

    with Journal(tmp_path / "journal") as journal:
        monkeypatch.setattr(os, "write", until_full)
        with pytest.raises(JournalEnded):
            note_for_ever(journal)
        monkeypatch.undo()
    assert (tmp_path / "journal").read_bytes().endswith(b"\n")
    found = Record(tmp_path / "journal")
    assert found.damaged == 0
    assert [event.number for event in found.events()] == list(range(found.lines))


def test_a_journal_belongs_to_one_run_and_is_free_once_that_was_killed(tmp_path: Path) -> None:
    holder = "import sys, pathlib, time; from eagerdiff.harness.campaign.journal import Journal; "
    holder += "journal = Journal(pathlib.Path(sys.argv[1])); print('held', flush=True); time.sleep(600)"
    path = tmp_path / "journal"
    process = subprocess.Popen([sys.executable, "-c", holder, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(ValueError, match="is the journal of a campaign that is running"):
        Journal(path)
    process.kill()
    process.wait()
    with Journal(path) as journal:
        assert journal.claim(A, WORKLOAD, 0) is None


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_what_is_no_file_is_refused_at_once(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to("/dev/full")
    with pytest.raises((OSError, ValueError)):
        Journal(path)


def test_only_search_counts_and_its_time_is_added_up_over_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for session in range(2):
        with Journal(tmp_path / "journal") as journal:
            assert journal.searched == 7.0 * session
            journal.note(Began(seed=0, build="this"))
            now += 302.0  # fork servers start
            assert journal.searched == 7.0 * session
            journal.search()
            now += 7.0
            journal.note(Drawn(target=A, batch=session, unsupported=[]))
            now += 1.0  # unsaid: the next line would tell
    assert Record(tmp_path / "journal").searched == 14.0


# Damage: of five lines the third, unless it says otherwise.


def whole(path: Path) -> list[bytes]:
    """Write a journal of five lines, whose third is a verdict that failed; return its lines."""
    with Journal(path) as journal:
        journal.note(Began(seed=0, build="this"))
        journal.claim(A, WORKLOAD, 0)
        journal.judged(A, WORKLOAD, OUTCOME)
        journal.note(Drawn(target=A, batch=0, unsupported=["even sizes"]))
        journal.note(Drawn(target=A, batch=1, unsupported=[]))
    return path.read_bytes().splitlines(keepends=True)


def edited(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    """Return what changes a line's data and makes the checksum right again."""

    def edit(line: bytes) -> bytes:
        data = json.loads(line[9:])
        change(data)
        return seal(data)

    return edit


def sealed(text: bytes) -> bytes:
    return f"{zlib.crc32(text):08x} ".encode() + text + b"\n"


def at(line: bytes, place: int, change: bytes) -> bytes:
    return line[:place] + change + line[place + len(change) :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut to one byte": lambda line: line[:1] + b"\n",
    "cut in the checksum": lambda line: line[:5] + b"\n",
    "cut after the checksum": lambda line: line[:9] + b"\n",
    "cut in the middle": lambda line: line[: len(line) // 2] + b"\n",
    "cut by one byte": lambda line: line[:-2] + b"\n",
    "without its start": lambda line: line[20:],
    "gone": lambda line: b"",
    "blank": lambda line: b"\n",
    "spaces": lambda line: b" " * 40 + b"\n",
    "carriage return": lambda line: line[:-1] + b"\r\n",
    "NUL in the middle": lambda line: at(line, 60, b"\0"),
    "NULs in its place": lambda line: b"\0" * (len(line) - 1) + b"\n",
    "NULs to a block's end": lambda line: line[:50] + b"\0" * 4096 + b"\n",
    "without its end": lambda line: line[:-1],
    "an end in the middle": lambda line: at(line, 60, b"\n"),
    "a bit is another": lambda line: at(line, 80, bytes([line[80] ^ 4])),
    "another checksum": lambda line: b"00000000" + line[8:],
    "checksum in capitals": lambda line: b"ABCDEFAB" + line[8:],
    "no checksum": lambda line: line[9:],
    "not UTF-8": lambda line: sealed(line[9:-1].replace(b"off", b"\xff\xfe\xfd")),
    "UTF-16": lambda line: line.decode().encode("utf-16"),
    "byte order mark": lambda line: b"\xef\xbb\xbf" + line,
    "a lone surrogate": lambda line: sealed(line[9:-1].replace(b'"off"', rb'"\ud800"')),
    "noise": lambda line: bytes(range(11, 250)) + b"\n",
    "huge": lambda line: b"x" * (MOST_BYTES + 10) + b"\n",
    "huge number": edited(lambda data: data.update(number=10**30)),
    "deeply nested": lambda line: sealed(b"[" * 100_000 + b"]" * 100_000),
    "an empty object": lambda line: seal({}),
    "a list": lambda line: sealed(b"[1, 2]"),
    "compressed, and no base64": lambda line: sealed(b"eJ!w"),
    "compressed, and cut": lambda line: sealed(base64.b64encode(zlib.compress(line[9:-1])[:-3])),
    "compressed to far more than a line may be": lambda line: sealed(
        base64.b64encode(zlib.compress(b'{"event": "' + b"x" * MOST_BYTES + b'"}'))
    ),
    "a number": lambda line: sealed(b"17"),
    "null": lambda line: sealed(b"null"),
    "no JSON": lambda line: sealed(b"verdict"),
    "event unknown": edited(lambda data: data.update(event="verdikt")),
    "event missing": edited(lambda data: data.pop("event")),
    "number missing": edited(lambda data: data.pop("number")),
    "number negative": edited(lambda data: data.update(number=-1)),
    "target missing": edited(lambda data: data.pop("target")),
    "target of two": edited(lambda data: data["target"].pop()),
    "target a text": edited(lambda data: data.update(target="doubling")),
    "outcome missing": edited(lambda data: data.pop("outcome")),
    "outcome a list": edited(lambda data: data.update(outcome=[])),
    "status unknown": edited(lambda data: data["outcome"]["verdicts"][1].update(status="WORSE")),
    "digest a number": edited(lambda data: data.update(digest=17)),
    "a field too many": edited(lambda data: data.update(command="rm")),
    "time negative": edited(lambda data: data.update(searched=-3.0)),
    "time not a number": edited(lambda data: data.update(searched="soon")),
    "time infinite": lambda line: sealed(b'{"searched":1e999,' + line[10:-1]),
    "a future version": lambda line: seal(
        {"event": "campaign", "number": 2, "seed": 0, "build": "this", "version": VERSION + 1}
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_line_is_counted_and_passed_over_and_the_others_are_read(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "huge":
        monkeypatch.setattr(record, "MOST_BYTES", 1 << 20)
    path = tmp_path / "journal"
    lines = whole(path)
    lines[2] = DAMAGE[kind](lines[2])
    path.write_bytes(b"".join(lines))
    with Journal(path) as journal:
        lost = 2 if kind in ("without its end", "UTF-16") else 1  # the next line goes with it
        assert lost <= journal.record.damaged <= 2
        assert len(list(journal.record.events())) == 5 - lost
        assert journal.claim(A, WORKLOAD, 0) is None  # as nothing is known of it any more
        journal.judged(A, WORKLOAD, OUTCOME)
    with Journal(path) as journal:
        assert journal.outcome(A, WORKLOAD) == OUTCOME
        assert journal.record.damaged > 0


def test_a_line_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = whole(path)
    path.write_bytes(b"".join([*lines, lines[2], edited(lambda data: data.update(number=9))(lines[2])]))
    found = Record(path)
    assert found.damaged == 2
    assert [event.event for event in found.events()] == ["campaign", "start", "verdict", "batch", "batch"]


def test_lines_in_another_order_are_read_in_theirs(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = whole(path)
    path.write_bytes(b"".join(reversed(lines)))
    found = Record(path)
    assert found.damaged == 0
    assert [event.number for event in found.events()] == [0, 1, 2, 3, 4]


def test_a_failure_is_known_with_its_workload_though_its_start_was_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = whole(path)
    path.write_bytes(b"".join(lines[:1] + lines[2:]))
    (judged,) = (event for event in Record(path).events() if isinstance(event, Judged))
    assert judged.workload == WORKLOAD.to_data()
    with Journal(tmp_path / "right") as journal:
        journal.judged(A, WORKLOAD, RIGHT)  # of what passed the start is enough
    assert b"workload" not in (tmp_path / "right").read_bytes()
