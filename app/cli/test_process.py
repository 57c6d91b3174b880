"""One file of tests in a process of its own: what the process does, and how it is started.

The process is given an order as JSON on standard input. On standard output every line that begins
with `MARK` is a message as JSON: a result, or what the tests printed; other lines come from
programs that the tests started.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from app import helpers, settings
from app.cli.test_reports import TestOutcome
from app.engine import protocol
from app.engine.analysis.test_discovery import UnitTest
from app.errors import MatlabError

MARK = "\x1e"
Lines = dict[str, dict[int, int]]


@dataclass(frozen=True, slots=True)
class Order:
    """What a process is to do.

    Attributes:
        file: the file of tests.
        names: the tests wanted, as discovery names them.
        folders: searched for functions.
        options: settings by name.
        counted: files whose lines are counted.
    """

    file: str
    names: tuple[str, ...]
    folders: tuple[str, ...]
    options: dict[str, str]
    counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of a file of tests.

    Attributes:
        outcomes: how each test ended.
        printed: what the tests printed.
        lines: how often each line of the counted files ran.
    """

    outcomes: tuple[TestOutcome, ...]
    printed: str
    lines: Lines


def run_file(order: Order, tests: Sequence[UnitTest]) -> Finished:
    """Run the tests of one file in a new process; those a crash cost are ``crashed``."""
    package = __name__.partition(".")[0]
    command = helpers.module_command(f"{package}.cli.test_process")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(  # noqa: S603 - our own module, by our own interpreter
        command,
        input=json.dumps(asdict(order)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
        check=False,
    )
    results: list[protocol.TestFinished] = []
    printed: list[str] = []
    lines: Lines = {}
    for line in done.stdout.split("\n"):
        if not line.startswith(MARK):
            printed.append(f"{line}\n")
            continue
        message = json.loads(line[1:])
        if message["kind"] == "result":
            results.append(protocol.TestFinished(**message["result"]))
        elif message["kind"] == "text":
            printed.append(message["text"])
        else:
            lines = {
                file: {int(k): n for k, n in c.items()} for file, c in message["lines"].items()
            }
    trouble = "" if done.returncode == 0 else _trouble(done.returncode, done.stderr)
    return Finished(tuple(_outcomes(tests, results, trouble)), "".join(printed), lines)


def _trouble(code: int, errors: str) -> str:
    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
    return f"The process of the tests {how}.\n{errors}".rstrip()


def _outcomes(
    tests: Sequence[UnitTest], results: Sequence[protocol.TestFinished], trouble: str
) -> Iterator[TestOutcome]:
    by_name = {test.name: test for test in tests}
    told = set()
    for result in results:
        test = by_name.get(result.name) or by_name[_without_values(result.name, by_name)]
        told.add(test.name)
        yield TestOutcome(
            result.name, test.source, test.line, result.state, result.seconds, result.details
        )
    missing = trouble or "The test did not run: the file ended before it."
    for test in tests:
        if test.name not in told:
            yield TestOutcome(test.name, test.source, test.line, "crashed", 0.0, missing)


def _without_values(name: str, known: dict[str, UnitTest]) -> str:
    """The test as it was found whose parameters only got their values when it ran."""
    return next(given for given in known if name.startswith(f"{given}("))


# --- in the process -----------------------------------------------------------------------------


def main() -> int:
    """Do the order of standard input; 0 unless a bug of ours ended it."""
    given = json.loads(sys.stdin.read())
    order = Order(**{**given, "names": tuple(given["names"]), "folders": tuple(given["folders"])})

    def send(kind: str, **content: object) -> None:
        sys.stdout.write(f"{MARK}{json.dumps({'kind': kind, **content})}\n")
        sys.stdout.flush()

    def take(event: protocol.Event) -> None:
        match event:
            case protocol.OutputText(text):
                send("text", text=text)
            case protocol.TestFinished():
                send("result", result=asdict(event))
            case protocol.Notice(text, "error"):
                sys.stderr.write(f"fuselab: {text}\n")

    return _run(order, take, lambda lines: send("lines", lines=lines))


def _run(
    order: Order, take: Callable[[protocol.Event], None], send_lines: Callable[[Lines], None]
) -> int:
    from app.engine.session.line_coverage import counts_of
    from app.engine.session.session import Session
    from app.engine.values import Cell

    chosen = settings.load()
    for name, value in order.options.items():
        chosen.set(name, value, "option")
    session = Session(chosen, take, order.folders)
    debugger = session.interpreter.debugger
    debugger.profiling = bool(order.counted)
    failure: MatlabError | None = None
    try:
        with session.busy("tests"):
            wanted = Cell.of(list(order.names))
            session.interpreter.guarded(
                lambda: session.interpreter.call(
                    "matlab.unittest.internal.runfile", (order.file, wanted), 0
                )
            )
    except MatlabError as problem:
        failure = problem
    finally:
        if order.counted:
            send_lines(counts_of(map(Path, order.counted), debugger.lines))
        session.close()
    if failure is not None:
        sys.stderr.write(f"{failure.message}\n")
    return 0 if failure is None else 1


def on_device(order: Order, device: str) -> Order:
    """The same order for another device."""
    return replace(order, options={**order.options, "device": device})


if __name__ == "__main__":
    raise SystemExit(main())
