"""`pytest --eagerdiff-sanitize`: a test fails where a kernel that it launched did wrong."""

import contextlib
from collections.abc import Generator
from typing import Any

import pytest

from eagerdiff.harness.sanitizer import report
from eagerdiff.harness.sanitizer.record import Record
from eagerdiff.harness.sanitizer.session import Late, refusal, session, unavailable
from eagerdiff.harness.sinks import terminal


class Sanitizer:
    """Check the kernels of one session's tests."""

    def __init__(self, record: Record, end: contextlib.ExitStack) -> None:
        self._record = record
        self._end = end
        self._refused: dict[str, None] = {}
        """What of a kernel is not compiled, each once, in order."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Fail the test where something new was seen; skip it where a kernel of it is not compiled."""
        before = self._record.counts()
        try:
            result = yield
        except BaseException as error:
            if line := refusal(error):
                self._refused[line] = None
                pytest.skip(f"not compiled: {line}")
            if met := self._record.since(before):
                item.add_report_section("call", "kernels", "\n".join(one.describe() for one in met))
            raise
        if met := self._record.since(before):
            pytest.fail(terminal.lines("\n".join(one.describe() for one in met)), pytrace=False)
        return result

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was found, each once."""
        terminalreporter.section("eagerdiff: kernels")
        for line in report.lines(self._record, list(self._refused)):
            terminalreporter.write_line(terminal.lines(line))

    def pytest_unconfigure(self) -> None:
        """Leave the process as it was, as far as that goes."""
        self._end.close()


def begin(config: pytest.Config) -> Sanitizer:
    """Prepare this process; raise pytest.UsageError where that cannot be."""
    if reason := unavailable():
        raise pytest.UsageError(f"no kernel can be checked here: {reason}")
    end = contextlib.ExitStack()
    try:
        record = end.enter_context(session(int(config.known_args_namespace.eagerdiff_seed or 0)))
    except Late as error:
        raise pytest.UsageError(str(error)) from error
    return Sanitizer(record, end)
