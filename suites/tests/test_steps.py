"""Steps: what takes long says how far it is, and says nothing where there is nothing to do."""

import pytest

from eagerdiff.harness.cli import steps as module
from eagerdiff.harness.cli.console import console
from eagerdiff.harness.cli.steps import steps


def test_lines_say_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(module, "LINE_SECONDS", 0.0)
    with steps(console(), "replaying", 2) as advance:
        advance()
        advance()
    assert capsys.readouterr().out.splitlines() == ["replaying: 2", "replaying: 1 of 2", "replaying: 2 of 2"]


def test_between_lines_it_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with steps(console(), "replaying", 2) as advance:
        advance()
    assert capsys.readouterr().out == "replaying: 2\n"


def test_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with steps(console(), "replaying", 2) as advance:
        advance()
    assert "of 2" not in capsys.readouterr().out


def test_nothing_to_do_is_not_said(capsys: pytest.CaptureFixture[str]) -> None:
    with steps(console(), "replaying", 0) as advance:
        advance()
    assert capsys.readouterr().out == ""
