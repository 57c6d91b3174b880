"""``fuselab test``: finds unit tests without running anything, and runs each file on its own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from app.cli.command_line import Options
from app.cli.headless import OPTION_SETTINGS
from app.cli.project_options import project_of
from app.cli.test_process import Finished, Lines, Order, run_file
from app.cli.test_reports import TestOutcome, write_html, write_junit, write_lcov
from app.engine.analysis.renaming import code_files
from app.engine.analysis.test_discovery import UnitTest, discover
from app.errors import UsageError
from app.project import Project

BOTH = "both"


def do_test(options: Options) -> int:
    """Run tests; 0 when none failed, 1 when some did."""
    project = project_of(options)
    tests, problems = _tests_and_options(options, project)
    for file, problem in problems:
        sys.stderr.write(f"{file}: error: {problem}\n")
    if not tests and not problems:
        raise UsageError("no tests are found; files of tests begin or end with 'test'")
    orders = _orders(options, project, tests)
    outcomes: list[TestOutcome] = []
    lines: Lines = {}
    with ThreadPoolExecutor(_jobs(options)) as pool:
        for order, finished in zip(orders, pool.map(_run, orders), strict=True):
            made = _with_device(finished.outcomes, order[0])
            outcomes += made
            _add(lines, finished.lines)
            _show(made, finished.printed, quiet=options.quiet)
    _write(options, outcomes, lines)
    different = _differences(outcomes) if options.device == BOTH else []
    for remark in _unsearched_folders_help(outcomes):
        sys.stderr.write(f"{remark}\n")
    return _summary(outcomes, [*different, *(text for _, text in problems)])


_OF_TESTS = frozenset(("test", "tests", "unittests", "unit_tests"))
"""What folders of tests are called; what they test lies beside or above them."""


def _tests_and_options(
    options: Options, project: Project | None
) -> tuple[list[UnitTest], tuple[tuple[str, str], ...]]:
    given = [Path(name) for name in options.operands]
    found = discover(given or (project.tests if project else (Path.cwd(),)))
    wanted = [
        test
        for test in found.tests
        if (not options.name or any(test.matches("name", p) for p in options.name))
        and (not options.tag or any(test.matches("tag", p) for p in options.tag))
    ]
    return wanted, found.problems


def _orders(
    options: Options, project: Project | None, tests: Sequence[UnitTest]
) -> list[tuple[str, Order, list[UnitTest]]]:
    """What each process is to do: one file of tests, on one device."""
    counted = tuple(map(str, _covered_files(options, project, tests))) if options.coverage else ()
    settings = {n: str(v) for n in OPTION_SETTINGS if (v := getattr(options, n)) and n != "device"}
    devices = ["cpu", "gpu"] if options.device == BOTH else [options.device]
    files: dict[str, list[UnitTest]] = {}
    for test in tests:
        files.setdefault(test.file, []).append(test)
    return [
        (
            device if options.device == BOTH else "",
            Order(
                file,
                tuple(test.name for test in found),
                options.path if project else _seen_from(Path(file), options.path),
                {**settings, **({"device": device} if device else {})},
                counted,
            ),
            found,
        )
        for file, found in files.items()
        for device in devices
    ]


def _seen_from(file: Path, given: tuple[str, ...]) -> tuple[str, ...]:
    """The folders searched without a project file: those given, the one where the command was
    given, as for a script there, and the one that holds the folders of tests."""
    home = next(f for f in file.resolve().parents if f.name.lower() not in _OF_TESTS)
    return tuple(dict.fromkeys((*given, str(Path.cwd()), str(home))))


def _covered_files(
    options: Options, project: Project | None, tests: Sequence[UnitTest]
) -> Iterator[Path]:
    """The files whose lines count: of the project or the path, without the tests themselves."""
    places = project.coverage if project else (*map(Path, options.path), Path.cwd())
    own = {Path(test.file) for test in tests}
    for place in dict.fromkeys(p.resolve() for p in places):
        below = filter(Path.is_file, place.rglob("*.m"))
        for file in sorted(below) if place.is_dir() else (place,):
            if file not in own:
                yield file


def _jobs(options: Options) -> int:
    if not options.jobs:
        return max(1, min(4, (os.cpu_count() or 1) // 2))
    if not options.jobs.isdecimal() or int(options.jobs) < 1:
        raise UsageError(f"--jobs takes a number from 1, not {options.jobs}")
    return int(options.jobs)


def _run(order: tuple[str, Order, list[UnitTest]]) -> Finished:
    return run_file(order[1], order[2])


def _with_device(outcomes: Sequence[TestOutcome], device: str) -> list[TestOutcome]:
    return [replace(outcome, device=device) for outcome in outcomes]


def _add(lines: Lines, more: Lines) -> None:
    for file, counts in more.items():
        known = lines.setdefault(file, {})
        for line, count in counts.items():
            known[line] = known.get(line, 0) + count


def _show(outcomes: Sequence[TestOutcome], printed: str, *, quiet: bool) -> None:
    """A line per test; what was printed where one failed."""
    failed = [outcome for outcome in outcomes if not outcome.is_good]
    if failed and not quiet:
        sys.stderr.write(printed)
    for outcome in outcomes:
        if quiet and outcome.is_good:
            continue
        device = f" [{outcome.device}]" if outcome.device else ""
        sys.stdout.write(f"{outcome.state:<10} {outcome.name}{device}  {outcome.seconds:.3f} s\n")
        if not outcome.is_good:
            told = outcome.details.replace("\n", "\n    ")
            sys.stdout.write(f"    {outcome.file}:{outcome.line}\n    {told}\n")
    sys.stdout.flush()


def _write(options: Options, outcomes: Sequence[TestOutcome], lines: Lines) -> None:
    if options.junit:
        write_junit(outcomes, Path(options.junit))
    if options.coverage:
        target = Path(options.coverage)
        (write_lcov if target.suffix == ".info" else write_html)(lines, target)


def _differences(outcomes: Sequence[TestOutcome]) -> list[str]:
    """Tests that end differently on host and device."""
    states: dict[str, dict[str, str]] = {}
    for outcome in outcomes:
        states.setdefault(outcome.name, {})[outcome.device] = outcome.state
    return [
        f"{name} {' but '.join(f'{state} on the {device}' for device, state in found.items())}"
        for name, found in states.items()
        if len(set(found.values())) > 1
    ]


_MISSING = re.compile(r"Unrecognized function or variable '(\w+)'")


def _unsearched_folders_help(outcomes: Sequence[TestOutcome]) -> list[str]:
    """What helps where functions that tests miss lie in folders that are not searched."""
    details = [outcome.details for outcome in outcomes if not outcome.is_good]
    missing = {name for text in details for name in _MISSING.findall(text)}
    found: dict[str, str] = {}
    for file in code_files(Path.cwd()) if missing else ():
        if file.stem in missing and not file.parent.name.startswith(("@", "+")):
            found.setdefault(os.path.relpath(file.parent), file.stem)
    return [
        f"'{name}' is in the folder '{folder}', which is not searched: "
        f"fuselab test --path {folder}, or set path in fuselab.toml"
        for folder, name in found.items()
        if Path(folder).name != "private"
    ]


def _summary(outcomes: Sequence[TestOutcome], remarks: Sequence[str]) -> int:
    states = [outcome.state for outcome in outcomes]
    parts = [
        f"{states.count(state)} {state}"
        for state in ("passed", "failed", "incomplete", "crashed")
        if states.count(state) or state == "passed"
    ]
    for remark in remarks:
        sys.stderr.write(f"{remark}\n")
    sys.stdout.write(f"{', '.join(parts)} in {sum(o.seconds for o in outcomes):.3g} s of tests\n")
    return 1 if remarks or not all(outcome.is_good for outcome in outcomes) else 0
