"""A campaign that is followed from elsewhere: its journal's copy is whole, and its page tells whom it may."""

import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eagerdiff.harness.campaign.events import CrewAt, Crews
from eagerdiff.harness.campaign.journal import Journal
from eagerdiff.harness.campaign.record import Record
from eagerdiff.harness.cli.application import invoke
from eagerdiff.harness.cli.failure import BadInput
from eagerdiff.harness.cli.options import read_copy
from eagerdiff.harness.following import segments
from eagerdiff.harness.following.follower import Followed, Follower, LocalSource, StoredSource
from eagerdiff.harness.following.page import headline, watch_page
from eagerdiff.harness.following.segments import Mirror, Store, StoreError
from eagerdiff.harness.following.serving import Watch
from eagerdiff.suites.tests.hostile import HOSTILE
from eagerdiff.suites.tests.journals import FAILING, TARGET, events
from eagerdiff.suites.tests.object_store import ObjectStore

TOKEN = "0123456789abcdef"


def journal(path: Path, workloads: int = 5, **told: Any) -> Path:
    """Write a journal."""
    with Journal(path) as made:
        for event in events(workloads, **told):
            made.note(event)
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return journal(tmp_path_factory.mktemp("journals") / "journal").read_bytes()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("EVERY_SECONDS", 0.01), ("RETRY_SECONDS", 0.02), ("LAST_SECONDS", 5.0)):
        monkeypatch.setattr(segments, name, seconds)


def test_what_a_journal_says_is_added_up(tmp_path: Path) -> None:
    path = journal(tmp_path / "journal", 7, findings=2)
    with Journal(path) as made:
        made.note(Crews(crews=[CrewAt(name="node 1", lanes=2, turns=3)]))
    state = Follower(LocalSource(path)).look()
    assert state.cases == 9
    assert (state.targets[TARGET].cases, state.targets[FAILING].failures, state.targets[FAILING].findings) == (7, 2, 2)
    assert [one.verdict.reason for one in state.findings] == ["it is wrong 0", "it is wrong 1"]
    assert state.crews is not None
    assert headline(state).startswith("2 findings in 9 cases, ")
    assert sum(cases for _, cases in state.pace) == 9


@settings(deadline=None)
@given(st.lists(st.integers(0, 5000), max_size=8))
def test_a_journal_that_grows_by_any_bytes_says_the_same(written: bytes, cuts: list[int]) -> None:
    class Growing:
        def read(self, start: int) -> bytes | None:
            return written[start : min(ends[0], len(written))]

    ends = [0]
    follower = Follower(Growing())
    for end in [*sorted(cuts), len(written)]:
        ends[0] = end
        follower.look()
    state = follower.state
    assert (state.cases, state.damaged, len(state.findings), state.sessions) == (6, 0, 1, 1)


def test_another_nights_journal_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = journal(tmp_path / "journal", 9)
    follower = Follower(LocalSource(path))
    assert follower.look().cases == 10
    path.rename(tmp_path / "before")
    journal(path, 2, seed=4)
    state = follower.look()
    assert state.cases == 3
    assert state.began is not None
    assert state.began.seed == 4


def test_damaged_lines_are_counted_and_the_rest_stands(tmp_path: Path) -> None:
    path = journal(tmp_path / "journal", 3)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"\x00garbage\n", *lines[1:3], lines[3][:-9] + b"\n", *lines[4:]]))
    state = Follower(LocalSource(path)).look()
    assert state.damaged == 2
    assert state.cases == 4


def stored(store: Store) -> bytes:
    return b"".join(store.read(*one) for one in store.segments())


def test_a_copy_that_is_made_while_it_grows_is_the_journal(tmp_path: Path) -> None:
    store = Store(f"file://{tmp_path}/store")
    with Journal(tmp_path / "journal") as made, Mirror(tmp_path / "journal", store) as mirror:
        for number, event in enumerate(events(40)):
            made.note(event)
            if number % 9 == 0:
                time.sleep(0.02)
    assert mirror.failure == ""
    assert stored(store) == (tmp_path / "journal").read_bytes()
    assert len(store.segments()) > 1
    assert Follower(StoredSource(store)).look().cases == 41


class Failing(Store):
    """Be a store that does not answer at times, keeps half of what it was given, or loses what it had."""

    def __init__(self, url: str, pattern: Iterator[str]) -> None:
        super().__init__(url)
        self._pattern = pattern

    def segments(self) -> list[tuple[int, int]]:
        """Return what is there, or fail."""
        if next(self._pattern, "") == "away":
            raise ConnectionError("the store is away")
        return super().segments()

    def write(self, start: int, data: bytes) -> None:
        """Write, half of it, or nothing."""
        match next(self._pattern, ""):
            case "away":
                raise ConnectionError("the store is away")
            case "half":
                super().write(start, data)
                path = self._path(start, start + len(data))
                self._files.pipe_file(path, data[: len(data) // 2])
                raise ConnectionError("the store went away")
            case "answer lost":
                super().write(start, data)
                raise ConnectionError("the store went away")
            case "begun anew":
                self._files.rm(self._root, recursive=True)
                raise ConnectionError("the store went away")
            case "emptied":
                if self._files.exists(self._root):
                    self._files.rm(self._root, recursive=True)
                super().write(start, data)
            case _:
                super().write(start, data)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(["", "away", "half", "answer lost", "begun anew", "emptied"]), max_size=12))
def test_a_store_that_fails_has_the_whole_journal_in_the_end(
    tmp_path_factory: pytest.TempPathFactory, pattern: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("failing")
    store = Failing(f"file://{folder}/store", iter(pattern))
    with Journal(folder / "journal") as made, Mirror(folder / "journal", store) as mirror:
        for event in events(12):
            made.note(event)
    assert mirror.failure == ""
    assert stored(Store(store.url)) == (folder / "journal").read_bytes()


def test_a_store_that_is_too_slow_is_said_and_has_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LAST_SECONDS", 0.1)
    monkeypatch.setattr(segments, "LATE_SECONDS", 0.1)
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 200)

    class Slow(Store):
        """Take half a second for a segment."""

        def write(self, start: int, data: bytes) -> None:
            time.sleep(0.5)
            super().write(start, data)

    store = Slow(f"file://{tmp_path}/store")
    with Journal(tmp_path / "journal") as made, Mirror(tmp_path / "journal", store) as mirror:
        for event in events(40):
            made.note(event)
    assert re.search(r"is not whole: [\d,]+ bytes were too many for 0 s", mirror.failure)
    assert (tmp_path / "journal").read_bytes().startswith(stored(store))


def test_a_store_that_stays_away_is_said_and_the_journal_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "LAST_SECONDS", 0.1)
    store = Failing(f"file://{tmp_path}/store", iter(["away"] * 100_000))
    with Journal(tmp_path / "journal") as made, Mirror(tmp_path / "journal", store) as mirror:
        for event in events(3):
            made.note(event)
    assert "is not whole: the store is away" in mirror.failure
    assert Record(tmp_path / "journal").damaged == 0


@pytest.mark.parametrize("here", ["nothing", "a part", "more"])
def test_another_machine_goes_on_where_the_store_ends(here: str, tmp_path: Path) -> None:
    whole = journal(tmp_path / "whole", 30).read_bytes()
    store, path = Store(f"file://{tmp_path}/store"), tmp_path / "there" / "journal"
    cut = whole.index(b"\n", 400) + 1
    store.write(0, whole[:cut])
    store.write(cut, whole[cut:])
    path.parent.mkdir()
    if here != "nothing":
        path.write_bytes(whole[: cut // 2] if here == "a part" else whole + b"more\n")
    mirror = Mirror(path, store)
    assert mirror.restore() is (here != "more")
    assert path.read_bytes() == whole + (b"more\n" if here == "more" else b"")
    with mirror:
        pass
    assert stored(store) == path.read_bytes()


def test_what_is_in_a_store_is_not_written_over(tmp_path: Path) -> None:
    store = Store(f"file://{tmp_path}/store")
    store.write(0, journal(tmp_path / "one", 3).read_bytes())
    other = journal(tmp_path / "other", 3, seed=5)
    with pytest.raises(StoreError, match="holds another journal"):
        Mirror(other, store).restore()
    with pytest.raises(BadInput, match="holds a journal: go on with it by --resume"):
        read_copy(f"file://{tmp_path}/store", other, resume=False)
    with pytest.raises(BadInput, match="nosuch://x cannot be used"):
        read_copy("nosuch://x", other, resume=False)


def test_a_copy_in_s3_is_read_there_and_gone_on_with(tmp_path: Path) -> None:
    with ObjectStore(tmp_path) as server:
        store = Store("s3://nights/today", **server.options)
        store._files.mkdir("s3://nights")  # pyright: ignore[reportPrivateUsage]
        with Journal(tmp_path / "journal") as made, Mirror(tmp_path / "journal", store) as mirror:
            for event in events(20):
                made.note(event)
        assert mirror.failure == ""
        assert Follower(StoredSource(store)).look().cases == 21
        assert Mirror(tmp_path / "elsewhere", store).restore()
        assert (tmp_path / "elsewhere").read_bytes() == (tmp_path / "journal").read_bytes()
        server.refuse()
        with pytest.raises(StoreError, match="cannot reach s3://nights/today"):
            Mirror(tmp_path / "refused", store).begin()


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(Follower(LocalSource(journal(tmp_path / "journal"))), "127.0.0.1", 0, token=TOKEN)
    yield watch
    watch.close()


def asked(address: str, method: str = "GET", context: ssl.SSLContext | None = None) -> tuple[int, str]:
    request = urllib.request.Request(address, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10, context=context) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_who_has_the_token_sees_the_page_and_what_is_new_on_it(watch: Watch, tmp_path: Path) -> None:
    status, page = asked(watch.address)
    assert status == 200
    assert "1 finding in 6 cases" in page
    with Journal(tmp_path / "journal") as made:
        for event in list(events(0, findings=3))[1:]:
            made.note(event.model_copy(update={"digest": "new"}) if hasattr(event, "digest") else event)
    assert "4 findings in 9 cases" in asked(watch.address)[1]


@pytest.mark.parametrize("query", ["", "?token=", "?token=0123456789abcdeX", "?token=0123456789abcde", "?t=" + TOKEN])
@pytest.mark.parametrize("path", ["/", "/journal", "/../journal", "/%2e%2e/journal"])
def test_who_has_not_the_token_gets_nothing(watch: Watch, path: str, query: str) -> None:
    address = watch.address.partition("/?")[0]
    assert asked(address + path + query) == (403, "")


def test_nothing_but_the_page_is_there_and_nothing_can_be_changed(watch: Watch) -> None:
    address = watch.address.partition("/?")[0]
    assert asked(f"{address}/journal?token={TOKEN}") == (404, "")
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert asked(watch.address, method)[0] == 501
    assert asked(watch.address)[0] == 200


def test_callers_that_say_nothing_keep_nobody_waiting(watch: Watch) -> None:
    host, port = watch.address.partition("//")[2].partition("/")[0].split(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(40)]
    try:
        assert asked(watch.address)[0] == 200
    finally:
        for one in silent:
            one.close()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate, and is not here")
def test_by_tls_and_with_silent_callers_too(tmp_path: Path) -> None:
    pem = tmp_path / "pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-keyout", str(pem), "-out", str(tmp_path / "cert")], check=True, capture_output=True)
    pem.write_text(pem.read_text() + (tmp_path / "cert").read_text())
    watch = Watch(Follower(LocalSource(journal(tmp_path / "journal"))), "127.0.0.1", 0, certificate=pem)
    context = ssl.create_default_context(cafile=str(tmp_path / "cert"))
    context.check_hostname = False
    try:
        host, port = watch.address.partition("//")[2].partition("/")[0].split(":")
        with socket.create_connection((host, int(port))):
            assert watch.address.startswith("https://")
            assert asked(watch.address, context=context)[0] == 200
            assert asked(watch.address[:-1], context=context) == (403, "")
    finally:
        watch.close()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--host", "0.0.0.0"], "open to others: give --certificate"),
        (["--token", "short"], "shorter than 16"),
        (["--certificate", "nothing.pem"], "cannot serve"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["watch", str(journal(tmp_path / "journal")), "--port", "0", *given]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_what_is_no_journal_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["watch", str(tmp_path)]) == 2
    assert "is no journal" in capsys.readouterr().err


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_journal_says_is_shown_and_not_obeyed(name: str, tmp_path: Path) -> None:
    state = Follower(
        LocalSource(journal(tmp_path / "journal", reason=HOSTILE[name].encode(errors="replace").decode()))
    ).look()
    page = watch_page(state, time.time())
    assert "<script>" not in page
    assert 'onerror="' not in page
    assert "\x1b" not in page


def test_a_page_of_nothing_and_of_a_store_that_is_away_says_so() -> None:
    class Away:
        def read(self, start: int) -> bytes | None:
            raise ConnectionError("away")

    watch = Watch(Follower(Away()), "127.0.0.1", 0, token=TOKEN)
    try:
        page = asked(watch.address)[1]
    finally:
        watch.close()
    assert "No campaign has begun" in page
    assert "cannot read the journal: away" in page
    assert "for 10 min" in watch_page(Followed(time=1000.0), 1600.0)
    assert threading.active_count() < 50
