"""The files that ``fuselab test`` writes: JUnit XML, line coverage as lcov and as HTML pages."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from app import textfile
from app.errors import UsageError


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """How one test ended.

    Attributes:
        name: ``group/procedure`` and its parameters.
        file: the file it stands in.
        line: where it begins, from 1.
        state: passed, failed, incomplete or crashed.
        seconds: how long it took.
        details: what went wrong; empty for a test that passed.
        device: where it ran; empty where the settings decided.
    """

    name: str
    file: str
    line: int
    state: str
    seconds: float
    details: str = ""
    device: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it does not fail the run."""
        return self.state in {"passed", "incomplete"}


def write_junit(outcomes: Iterable[TestOutcome], path: Path) -> None:
    """One test suite per file and device, as continuous integration reads it.

    Raises:
        UsageError: the file cannot be written.
    """
    groups: dict[tuple[str, str], list[TestOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.name.partition("/")[0], outcome.device), []).append(outcome)
    root = ET.Element("testsuites")
    for (group, device), tests in groups.items():
        suite = ET.SubElement(root, "testsuite", _counts(tests))
        suite.set("name", f"{group} [{device}]" if device else group)
        for test in tests:
            case = ET.SubElement(suite, "testcase", classname=suite.get("name") or group)
            case.set("name", test.name.partition("/")[2])
            case.set("file", test.file)
            case.set("line", str(test.line))
            case.set("time", f"{test.seconds:.6f}")
            kind = {"failed": "failure", "crashed": "error", "incomplete": "skipped"}
            if test.state in kind:
                first = test.details.partition("\n")[0]
                told = ET.SubElement(case, kind[test.state], message=_printable(first))
                told.text = _printable(test.details)
    ET.indent(root)
    _write(path, ET.tostring(root, "unicode", xml_declaration=True) + "\n")


def _counts(tests: list[TestOutcome]) -> dict[str, str]:
    states = [test.state for test in tests]
    return {
        "name": "",
        "tests": str(len(tests)),
        "failures": str(states.count("failed")),
        "errors": str(states.count("crashed")),
        "skipped": str(states.count("incomplete")),
        "time": f"{sum(test.seconds for test in tests):.6f}",
    }


def _printable(text: str) -> str:
    """The text without characters that XML does not know."""
    return "".join(c if c >= " " or c in "\n\t" else " " for c in text)


Counts = Mapping[str, Mapping[int, int]]
"""How often each line ran, by file and line."""


def write_lcov(counts: Counts, path: Path) -> None:
    """Line coverage in lcov's format.

    Raises:
        UsageError: the file cannot be written.
    """
    records = []
    for file, lines in sorted(counts.items()):
        hit = sum(count > 0 for count in lines.values())
        rows = "".join(f"DA:{line},{count}\n" for line, count in sorted(lines.items()))
        records.append(f"SF:{file}\n{rows}LF:{len(lines)}\nLH:{hit}\nend_of_record\n")
    _write(path, "".join(records))


_STYLE = """body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem}
table{border-collapse:collapse}td,th{padding:.1rem .8rem;text-align:left}
pre{margin:0;line-height:1.35}.n{color:#888;text-align:right}
.hit td{background:#e6f4e6}.miss td{background:#fbe3e3}
@media(prefers-color-scheme:dark){body{background:#1b1d21;color:#ddd}.hit td{background:#203222}
.miss td{background:#42211f}}"""


def write_html(counts: Counts, folder: Path) -> None:
    """Line coverage as pages: ``index.html`` and one page per file.

    Raises:
        UsageError: they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"cannot make {folder}: {problem}") from None
    rows = []
    for number, (file, lines) in enumerate(sorted(counts.items()), 1):
        hit = sum(count > 0 for count in lines.values())
        share = f"{hit / len(lines):.0%}" if lines else "–"
        page = f"{number:03d}-{Path(file).stem}.html"
        name = html.escape(file)
        rows.append(f'<tr><td><a href="{page}">{name}</a><td>{hit}/{len(lines)}<td>{share}')
        _write(folder / page, _page(name, f"<p>{share} of {len(lines)} lines{_lines(file, lines)}"))
    total = sum(map(len, counts.values()))
    hit = sum(count > 0 for lines in counts.values() for count in lines.values())
    head = f"<p>{hit} of {total} lines ran.<table><tr><th>file<th>lines<th>share"
    _write(folder / "index.html", _page("Coverage", head + "".join(rows) + "</table>"))


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style><h1>{title}</h1>{body}</html>\n"
    )


def _lines(file: str, counts: Mapping[int, int]) -> str:
    rows = []
    for number, line in enumerate(textfile.read(Path(file)).text.split("\n"), 1):
        count = counts.get(number)
        kind = "" if count is None else ' class="hit"' if count else ' class="miss"'
        told = "" if count is None else f"{count}×"
        text = html.escape(line)
        rows.append(f'<tr{kind}><td class="n">{number}<td class="n">{told}<td><pre>{text}</pre>')
    return f"<table>{''.join(rows)}</table>"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem}") from None
