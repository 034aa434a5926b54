"""The command line: `autograder VERB`, where each verb is a module of `autograder.commands`.

A verb's module is imported when it is asked for, so that grading one submission does not pay for the
libraries that only staff's reports need.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import traceback
from typing import Any

import click

from . import __version__, commands, quiet_collector
from .errors import AutograderError, InstallationError
from .installation import check_installation
from .streams import open_standard_streams, refusal, stop_standard_output
from .text import clean

EXIT_STATUS = """
Exit status: 0 graded, whatever the score; 2 the command or the assignment is wrong;
3 something could not be graded.
"""

_UNEXPECTED = (
    "autograder: the grader itself failed with {kind}; no submission was judged by this. Please report it: send the "
    "lines above, the command, and the version ({version}) to whoever maintains your course's grader."
)


class Verbs(click.Group):
    """The modules of `autograder.commands`, each offering its `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click passes it
        """Return the names of all verbs, sorted."""
        return sorted(module.name for module in pkgutil.iter_modules(commands.__path__) if module.name != "options")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return the verb of that name, or raise NoSuchCommand with the nearest ones."""
        verbs = self.list_commands(ctx)
        if cmd_name not in verbs:
            raise click.NoSuchCommand(cmd_name, possibilities=verbs, ctx=ctx)
        command = importlib.import_module(f"{commands.__name__}.{cmd_name}").command
        assert isinstance(command, click.Command), f"autograder.commands.{cmd_name}.command is not a click command"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each verb with the whole first line of its help, which click itself would cut."""
        with formatter.section("Verbs"):
            promises = {name: (self.get_command(ctx, name).help or "") for name in self.list_commands(ctx)}
            formatter.write_dl([(name, text.partition("\n")[0]) for name, text in promises.items()])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line, unless files of another package are mixed with the grader's."""
        open_standard_streams()
        try:
            check_installation()
        except InstallationError as problem:  # before click answers --version and --help by itself
            click.echo(f"autograder: {clean(str(problem))}", err=True)
            sys.exit(problem.exit_status)
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; an error that explains itself becomes one message on stderr and its exit status."""
        quiet_collector()
        try:
            return super().invoke(ctx)
        except AutograderError as problem:
            click.echo(f"autograder: {clean(str(problem))}", err=True)
            ctx.exit(problem.exit_status)
        except (click.ClickException, click.exceptions.Exit, click.Abort):  # click's own words and statuses
            raise
        except BrokenPipeError:
            stop_standard_output()
            click.echo("autograder: standard output was closed before all of it was written", err=True)
            ctx.exit(AutograderError.exit_status)
        except OSError as problem:  # a full disk, no descriptors, no memory: the machine's, and it has said what
            click.echo(f"autograder: {clean(refusal(problem))}. Nobody was judged by this", err=True)
            ctx.exit(AutograderError.exit_status)
        except Exception as problem:  # noqa: BLE001 - the last resort: whatever it is, it is the grader's own mistake
            click.echo(clean(traceback.format_exc()), err=True, nl=False)
            click.echo(_UNEXPECTED.format(kind=type(problem).__name__, version=__version__), err=True)
            ctx.exit(AutograderError.exit_status)


@click.group(
    cls=Verbs,
    subcommand_metavar="VERB ...",
    epilog=EXIT_STATUS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__)
def main() -> None:
    """Grade a homework on automatic differentiation, with the student's code in a confined process.

    Example: autograder grade solution
    """
