"""The typer application: the commands, and how errors end."""

import os
import sys
from typing import Annotated, Any

import typer

from eagerdiff.harness.cli.doctor import doctor
from eagerdiff.harness.cli.doublecheck import doublecheck
from eagerdiff.harness.cli.failure import BadInput, complain, save_traceback
from eagerdiff.harness.cli.listing import list_operators
from eagerdiff.harness.cli.nightly import nightly
from eagerdiff.harness.cli.replay import replay
from eagerdiff.harness.cli.run import run
from eagerdiff.harness.cli.selfcheck import selfcheck
from eagerdiff.harness.cli.show import show

UsageError: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What typer raises for wrong options: its own copy of click from 0.26 on, click's before."""

application = typer.Typer(
    name="eagerdiff",
    help="Hold compiled GPU code against eager PyTorch, at every size.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
application.command("list")(list_operators)
application.command("run")(run)
application.command("nightly")(nightly)
application.command("replay")(replay)
application.command("show")(show)
application.command("doublecheck")(doublecheck)
application.command("selfcheck")(selfcheck)
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


def invoke(arguments: list[str]) -> int:
    """Run a command and return its exit code; every error is one line on stderr and 2."""
    try:
        return _call(arguments or ["--help"])
    except BadInput as error:
        complain(str(error))
    except UsageError as error:
        complain(f"{_message(error)} (see eagerdiff --help)")
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
    except BrokenPipeError:  # the reader of `eagerdiff list | head` has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user: it is saved, and its path printed
        complain(f"internal error: {type(error).__name__}: {str(error)[:200]} (traceback in {save_traceback(error)})")
    return 2


def _call(arguments: list[str]) -> int:
    code: Any = application(arguments, standalone_mode=False)
    sys.stdout.flush()
    return code if isinstance(code, int) else 0


def _message(error: Any) -> str:
    return str(error.format_message())
