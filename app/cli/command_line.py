"""Options and verbs of ``fuselab``: each is declared once, below.

Every option also has a variable ``FUSELAB_<OPTION>``; the command line wins.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from app import __version__
from app.engine.livecode.document_kinds import KINDS
from app.errors import UsageError
from app.records import record

EVERYWHERE = (
    "window",
    "run",
    "eval",
    "check",
    "explain",
    "shot",
    "device",
    "functions",
    "help",
    "test",
    "export",
    "lsp",
    "kernel",
    "toolbox",
    "install-desktop",
)
RUNNING = ("window", "run", "eval", "explain", "shot")
TABLES = ("check", "explain", "device", "functions", "help")


@record
class Option:
    """One option of the command line.

    Attributes:
        name: without dashes.
        help: one line.
        verbs: those that accept it.
        metavar: its value's name; empty for a switch.
        choices: values allowed, when only these are.
        repeat: True when it may be given several times.
    """

    name: str
    help: str
    verbs: tuple[str, ...]
    metavar: str = ""
    choices: tuple[str, ...] = ()
    repeat: bool = False

    @property
    def attribute(self) -> str:
        """Its name in :class:`Options`."""
        return self.name.replace("-", "_")

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "FUSELAB_" + self.attribute.upper()


OPTIONS = (
    Option(
        "device",
        "where to compute: auto, cpu, gpu or part of a name",
        (*EVERYWHERE, "worker"),
        "DEVICE",
    ),
    Option("report", "write what happened to FILE (JSON)", RUNNING, "FILE"),
    Option("trace", "write a Chrome trace to FILE (opens in Perfetto)", RUNNING, "FILE"),
    Option("seed", "seed of the random numbers", (*RUNNING, "export", "test"), "N"),
    Option("octave", "accept Octave's forms", (*RUNNING, "check", "export", "test", "kernel")),
    Option("restricted", "confine it to reading its folder and one temporary folder", RUNNING),
    Option("path", "search DIR for functions", EVERYWHERE, "DIR", repeat=True),
    Option(
        "quiet",
        "print nothing but the script's own output and errors",
        (*EVERYWHERE, "worker"),
    ),
    Option("format", "text or json", TABLES, "FORMAT", ("text", "json")),
    Option(
        "layout",
        "arrangement of the panels",
        ("shot", "window"),
        "LAYOUT",
        ("classic", "gpu", "debug", "focus"),
    ),
    Option("size", "size of the window in pixels", ("shot",), "WxH"),
    Option("theme", "dark or light", ("shot", "window"), "THEME", ("dark", "light")),
    Option("run", "run the first file at once; export: run the document", ("window", "export")),
    Option("name", "run tests of this name (with * and ?)", ("test",), "PATTERN", repeat=True),
    Option("tag", "run tests with this tag (with * and ?)", ("test",), "PATTERN", repeat=True),
    Option("jobs", "files of tests, or workers, at the same time", ("test", "worker"), "N"),
    Option("junit", "write the results to FILE (JUnit XML)", ("test",), "FILE"),
    Option("coverage", "count lines: FILE.info (lcov), else a folder of pages", ("test",), "FILE"),
    Option("wait-ms", "wait this long after the run", ("shot",), "N"),
)


@record
class Verb:
    """One verb: its operands (name, how many) and the module that does it."""

    name: str
    help: str
    operands: tuple[tuple[str, str], ...]
    module: str


VERBS = {
    v.name: v
    for v in (
        Verb(
            "run",
            "run a script or function file (-- ARG…: arguments); - reads standard input",
            (("FILE", "?"),),
            "app.cli.run",
        ),
        Verb("eval", "run CODE", (("CODE", ""),), "app.cli.run"),
        Verb(
            "check",
            "parse files and folders and report diagnostics; runs nothing",
            (("PATH", "+"),),
            "app.cli.check",
        ),
        Verb(
            "explain",
            "run FILE and say per line what ran where, and why",
            (("FILE", ""),),
            "app.cli.explain",
        ),
        Verb(
            "shot",
            "run FILE in the window and save a picture of it",
            (("FILE", ""), ("PNG", "")),
            "app.cli.window",
        ),
        Verb(
            "sandbox-test",
            "try to get out of a restricted run, and say what held",
            (),
            "app.cli.sandbox_test",
        ),
        Verb("device", "adapters, limits, precision, calibration, settings", (), "app.cli.device"),
        Verb(
            "functions",
            "every builtin: category, on the device, fuses, one line of help",
            (),
            "app.cli.functions",
        ),
        Verb("help", "the help text of a builtin or of a .m file", (("NAME", ""),), "app.cli.help"),
        Verb(
            "test",
            "find unit tests and run each file in a process of its own (--device both compares)",
            (("PATH", "*"),),
            "app.cli.test",
        ),
        Verb(
            "export",
            f"write a document (.m, .mlx, .ipynb) as {', '.join(KINDS[:-1])} or {KINDS[-1]}",
            (("FILE", ""), ("OUT", "")),
            "app.cli.export",
        ),
        Verb(
            "kernel",
            "the Jupyter kernel: install it for this user, or remove it",
            (("ACTION", ""),),
            "app.cli.kernel",
        ),
        Verb(
            "toolbox",
            "toolboxes: list, new NAME, add FOLDER or REPOSITORY, remove NAME, test NAME or FOLDER",
            (("ACTION", ""), ("NAME", "?")),
            "app.cli.toolbox",
        ),
        Verb(
            "worker",
            "join the scheduler at ADDRESS: pools of other machines have workers here",
            (("ADDRESS", ""),),
            "app.cli.worker",
        ),
        Verb("lsp", "language server over standard input and output", (), "app.cli.lsp"),
        Verb(
            "install-desktop", "menu entry, icon and file type for this user", (), "app.cli.desktop"
        ),
        Verb("window", "open files and a folder in the window", (("PATH", "*"),), "app.cli.window"),
    )
}

_WRITTEN = {"PNG", "OUT"}
"""Operands that are files to be written."""


@record
class Options:
    """A parsed command line."""

    verb: str
    operands: tuple[str, ...] = ()
    script_arguments: tuple[str, ...] = ()
    device: str = ""
    report: str = ""
    trace: str = ""
    seed: str = ""
    octave: bool = False
    restricted: bool = False
    path: tuple[str, ...] = ()
    quiet: bool = False
    format: str = "text"
    layout: str = ""
    size: str = "1600x1000"
    theme: str = ""
    wait_ms: str = "0"
    name: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    jobs: str = ""
    junit: str = ""
    coverage: str = ""
    run: bool = False


class _Formatter(argparse.HelpFormatter):
    """As wide as the terminal, which is asked only when something is shown.

    A parser makes one for every argument, and the one of the library loads all of `shutil`.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=80)

    def format_help(self) -> str:
        import shutil

        self._width = shutil.get_terminal_size().columns - 2
        return super().format_help()


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().rstrip()}")


def parse(arguments: list[str]) -> Options:
    """Parse a command line; wrong usage is a UsageError."""
    before, after = _split_at_dashes(arguments)
    verb, rest = _take_verb(before)
    if verb == "window" and rest[:1] in (["-h"], ["--help"]):
        _print_overview()
        raise SystemExit(0)
    if after and verb != "run":
        rest, after = [*rest, "--", *after], []
    found = vars(_parser(VERBS[verb]).parse_args(rest))
    operands = [text for name, _ in VERBS[verb].operands for text in _texts(found.pop(name))]
    values = {**_from_environment(verb), **_without_defaults(found)}
    outputs = []
    for option in OPTIONS:  # a script may change the current folder before they are written
        if option.metavar == "FILE" and option.attribute in values:
            values[option.attribute] = name = _absolute(option, values[option.attribute])
            outputs.append((f"--{option.name} ", name))
        if option.metavar == "DIR":
            _check_folders(option, values.get(option.attribute, ()))
    _check_outputs(VERBS[verb], operands, outputs)
    return Options(verb, tuple(operands), tuple(after), **values)


def _absolute(option: Option, name: str) -> str:
    if not name:
        raise UsageError(f"--{option.name} needs the name of a file")
    return str(Path(name).absolute())


def _check_folders(option: Option, names: tuple[str, ...]) -> None:
    for name in names:
        if not Path(name).is_dir():
            raise UsageError(f"--{option.name}: there is no folder {name!r}")


def _check_outputs(verb: Verb, operands: list[str], named: list[tuple[str, str]]) -> None:
    """Refuse to write over a file that is read, and two things into one file."""
    written = [at for at, (name, _) in enumerate(verb.operands) if name in _WRITTEN]
    read = [name for at, name in enumerate(operands) if at not in written]
    outputs = [*(("", operands[at]) for at in written), *named]
    for at, (label, name) in enumerate(outputs):
        for other in (*read, *(before for _, before in outputs[:at])):
            if _is_same(name, other):
                raise UsageError(f"{label}{name} would be written over {other}")


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one file, which need not be there; devices hold nothing."""
    first, second = os.path.realpath(one), os.path.realpath(other)  # links may lead in a circle
    return first == second and (Path(first).is_file() or not Path(first).exists())


def handler(verb: str) -> Callable[[Options], int]:
    """The function that does ``verb``."""
    module = importlib.import_module(VERBS[verb].module)
    do: Callable[[Options], int] = getattr(module, f"do_{verb.replace('-', '_')}")
    return do


def _split_at_dashes(arguments: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _take_verb(arguments: list[str]) -> tuple[str, list[str]]:
    """The verb is the first operand, if it is one; options may stand before it."""
    valued = {f"--{o.name}" for o in OPTIONS if o.metavar}
    index = 0
    while index < len(arguments) and arguments[index].startswith("--"):
        index += 2 if arguments[index] in valued else 1
    if index < len(arguments) and arguments[index] in VERBS:
        return arguments[index], arguments[:index] + arguments[index + 1 :]
    return "window", arguments


def _parser(verb: Verb) -> argparse.ArgumentParser:
    name = "fuselab" if verb.name == "window" else f"fuselab {verb.name}"
    parser = _Parser(
        prog=name, description=verb.help, allow_abbrev=False, formatter_class=_Formatter
    )
    parser.add_argument("--version", action="version", version=f"fuselab {__version__}")
    for operand, count in verb.operands:
        parser.add_argument(operand, nargs=count or None)
    for option in OPTIONS:
        if verb.name in option.verbs:
            parser.add_argument(f"--{option.name}", **_arguments(option))
    return parser


def _arguments(option: Option) -> dict[str, Any]:
    common: dict[str, Any] = {"help": option.help, "default": None}
    if not option.metavar:
        return {**common, "action": "store_true"}
    if option.repeat:
        return {**common, "action": "append", "metavar": option.metavar}
    return {**common, "metavar": option.metavar, "choices": option.choices or None}


def _texts(operand: Any) -> list[str]:
    return operand if isinstance(operand, list) else [operand] if operand is not None else []


def _without_defaults(found: dict[str, Any]) -> dict[str, Any]:
    return {n: tuple(v) if isinstance(v, list) else v for n, v in found.items() if v is not None}


def _from_environment(verb: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for option in OPTIONS:
        raw = os.environ.get(option.variable)
        if raw and verb in option.verbs:
            values[option.attribute] = _option_value(option, raw)
    return values


def _option_value(option: Option, raw: str) -> Any:
    if option.repeat:
        return tuple(filter(None, raw.split(os.pathsep)))
    if not option.metavar:
        return _switch(option, raw.strip().lower())
    if option.choices and raw not in option.choices:
        raise UsageError(f"{option.variable} must be one of {', '.join(option.choices)}")
    return raw


def _switch(option: Option, word: str) -> bool:
    from app.settings import SWITCH_WORDS

    if word not in SWITCH_WORDS:
        raise UsageError(f"{option.variable} must be {' or '.join(SWITCH_WORDS)}, not {word!r}")
    return SWITCH_WORDS[word]


def _print_overview() -> None:
    import sys

    lines = ["usage: fuselab [PATH ...]          open files and a folder in the window"]
    for verb in VERBS.values():
        if verb.name != "window":
            operands = " ".join(n + ("..." if c else "") for n, c in verb.operands)
            lines.append(f"       fuselab {verb.name + ' ' + operands:<20} {verb.help}")
    lines += ["", "options (each also as a variable FUSELAB_<OPTION>):"]
    lines += [f"  --{o.name + ' ' + o.metavar:<16} {o.help}" for o in OPTIONS]
    sys.stdout.write("\n".join(lines) + "\n")


def existing_path(name: str) -> Path:
    """The path of a file or folder that must be there; a UsageError says that it is not."""
    path = Path(name)
    if not path.exists():
        raise UsageError(f"there is no file {name}")
    return path


def existing_file(name: str) -> Path:
    """The path of a file that must be there; a UsageError says that it is not."""
    path = existing_path(name)
    if path.is_dir():
        raise UsageError(f"{name} is a folder")
    return path
