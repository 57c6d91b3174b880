"""What does not fit together in the markup of a live script, so that no hand edit is lost silently:
marks that cannot be read, marks without data in the appendix, and data that no mark asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.engine.language.diagnostics import Diagnostic, Severity
from app.engine.livecode.appendix import Problem
from app.engine.livecode.document import LiveDocument, is_text_line, without_marks
from app.source import Span

_LIVE = re.compile(r"^[ \t]*%\[(?:text[\]:]|appendix\])", re.MULTILINE)
_NAMES = ("text", "control", "output", "task", "appendix", "metadata")
_BEGUN = re.compile(r"%\[(?P<word>[a-zA-Z]{2,})(?P<next>[]:]|$)")
_KINDS = {
    "output": (re.compile(r"%\[(output:(?!group:)\w+)\]"), "stored output"),
    "control": (re.compile(r"%\[(control:\w+:\w+)\]"), "control"),
    "text:image": (re.compile(r"\((text:image:\w+)\)"), "picture"),
}
"""How each kind of entry is asked for in the text, and what people call it."""


def problems_of(document: LiveDocument) -> list[Problem]:
    """Everything in a document that does not fit together, in the order of its lines."""
    found = [*document.problems]
    if _LIVE.search(document.text):
        found += [*_unreadable_marks(document), *_mismatches(document)]
    return sorted(set(found), key=lambda problem: problem.line)


def markup_diagnostics(text: str) -> list[Diagnostic]:
    """The same as remarks on a text; none where it is no live script."""
    if not _LIVE.search(text):
        return []
    document = LiveDocument(text)
    starts = [0]
    for line in document.lines:
        starts.append(starts[-1] + len(line) + 1)
    return [
        Diagnostic(_span(starts, problem.line), Severity.WARNING, "live-markup", problem.message)
        for problem in problems_of(document)
    ]


def _span(starts: list[int], line: int) -> Span:
    line = min(max(line, 1), len(starts) - 1)
    return Span(starts[line - 1], starts[line] - 1)


def _unreadable_marks(document: LiveDocument) -> Iterator[Problem]:
    for number, line in enumerate(document.lines[: document.appendix_line - 1], 1):
        if "%[" not in line or is_text_line(line):
            continue
        for begun in _BEGUN.finditer(without_marks(line)):
            word, is_whole = begun["word"], bool(begun["next"])
            if word in _NAMES if is_whole else any(name.startswith(word) for name in _NAMES):
                yield Problem(number, f"the mark {begun[0]} cannot be read here")


def _mismatches(document: LiveDocument) -> Iterator[Problem]:
    body = document.lines[: document.appendix_line - 1]
    for kind, (mark, name) in _KINDS.items():
        asked: dict[str, int] = {}
        for number, line in enumerate(body, 1):
            for key in mark.findall(line):
                if kind == "control" and key in asked:
                    yield Problem(number, f"a second mark of the {name} {_last(key)}")
                asked.setdefault(key, number)
        held = {key for key in document.appendix if key.startswith(f"{kind}:")}
        for key, number in asked.items():
            if key not in held:
                yield Problem(number, f"the appendix has no data of the {name} {_last(key)}")
        for number, line in enumerate(document.lines[len(body) :], len(body) + 1):
            key = line.strip()[2:-1]
            if key in held and key not in asked and line.startswith("%["):
                yield Problem(number, f"no line has the mark of the {name} {_last(key)}")


def _last(key: str) -> str:
    return key.rpartition(":")[2]
