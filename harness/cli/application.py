"""The typer application: the commands, and how errors end."""

import errno
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from eagerdiff.harness.cli.bench import bench
from eagerdiff.harness.cli.bisect import bisect
from eagerdiff.harness.cli.check import check
from eagerdiff.harness.cli.compare import compare
from eagerdiff.harness.cli.doctor import doctor
from eagerdiff.harness.cli.doublecheck import doublecheck
from eagerdiff.harness.cli.failure import BadInput, complain, save_traceback
from eagerdiff.harness.cli.init import init
from eagerdiff.harness.cli.keep import keep
from eagerdiff.harness.cli.kit import kit
from eagerdiff.harness.cli.listing import list_operators
from eagerdiff.harness.cli.merge import merge
from eagerdiff.harness.cli.nightly import nightly
from eagerdiff.harness.cli.project import Project
from eagerdiff.harness.cli.record import SETTINGS as RECORD_SETTINGS
from eagerdiff.harness.cli.record import record
from eagerdiff.harness.cli.replay import replay
from eagerdiff.harness.cli.report import report
from eagerdiff.harness.cli.run import run
from eagerdiff.harness.cli.sanitize import SETTINGS, sanitize
from eagerdiff.harness.cli.selfcheck import selfcheck
from eagerdiff.harness.cli.show import show
from eagerdiff.harness.cli.stdout import lasting
from eagerdiff.harness.cli.track import track
from eagerdiff.harness.cli.watch import watch

UsageError: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What typer raises for wrong options: its own copy of click from 0.26 on, click's before."""

_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG)

application = typer.Typer(
    name="eagerdiff",
    help="Hold compiled GPU code against eager PyTorch, at every size.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
application.command("init")(init)
application.command("list")(list_operators)
application.command("check")(check)
application.command("record", context_settings=RECORD_SETTINGS)(record)
application.command("run")(run)
application.command("nightly")(nightly)
application.command("replay")(replay)
application.command("show")(show)
application.command("keep")(keep)
application.command("report")(report)
application.command("merge")(merge)
application.command("track")(track)
application.command("bisect")(bisect)
application.command("kit")(kit)
application.command("compare")(compare)
application.command("bench")(bench)
application.command("doublecheck")(doublecheck)
application.command("selfcheck")(selfcheck)
application.command("sanitize", context_settings=SETTINGS)(sanitize)
application.command("watch")(watch)
application.command("doctor")(doctor)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"eagerdiff {version('eagerdiff')}")
        raise typer.Exit


@application.callback()
def eagerdiff(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Hold compiled GPU code against eager PyTorch, at every size."""


JUDGING = (
    "check",
    "run",
    "nightly",
    "replay",
    "keep",
    "merge",
    "bench",
    "bisect",
    "kit",
    "compare",
    "doublecheck",
    "selfcheck",
    "sanitize",
)
"""Commands whose exit code says what was found: 0 must not mean that nobody could read it."""


def invoke(arguments: list[str]) -> int:
    """Run a command and return its exit code; every error is one line on stderr and 2.

    A command that cannot print goes on, and what it writes stands; then that is said, and the code is 2, but where it
    only lists something and its reader has gone (`eagerdiff list | head`).
    """
    with lasting() as out:
        code = _invoke(arguments)
    if not out.failure or (out.left and arguments[:1] and arguments[0] not in JUDGING):
        return code
    complain(f"cannot write to standard output: {out.failure}")
    return 2


def _invoke(arguments: list[str]) -> int:
    try:
        return _call(arguments or ["--help"])
    except BadInput as error:
        complain(str(error))
    except UsageError as error:
        complain(f"{_message(error)} (see eagerdiff --help)")
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
    except OSError as error:
        complain(_disk(error) or _internal(error))
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user: it is saved, and its path printed
        complain(_internal(error))
    return 2


def _internal(error: Exception) -> str:
    return f"internal error: {type(error).__name__}: {str(error)[:200]} (traceback in {save_traceback(error)})"


def _disk(error: OSError) -> str:
    """Say what a disk does not do; empty where the error is none of a disk."""
    where = f" to {error.filename}" if error.filename else ""
    return f"cannot write{where}: {error.strerror}" if error.errno in _DISK else ""


def _call(arguments: list[str]) -> int:
    defaults = Project.read(Path.cwd())[0].defaults() if arguments[0] in Project.commands else {}
    code: Any = application(arguments, standalone_mode=False, default_map=defaults)
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _message(error: Any) -> str:
    return str(error.format_message())
