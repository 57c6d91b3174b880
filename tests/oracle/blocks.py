"""Reading the ``%!`` test blocks at the end of an Octave function file.

The files are read where Octave is installed, at test time; nothing of them is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_HEAD = re.compile(r"^[%#]!(\w*)(.*)$")
_BUG = re.compile(r"^\s*<([^>]*)>")
_ERROR_ID = re.compile(r"^\s*id=([\w:-]+)")


@dataclass(frozen=True, slots=True)
class Block:
    """One test block.

    Attributes:
        kind: ``assert``, ``test``, ``error``, ``warning``, ``fail``, ``shared`` or ``function``.
        code: what to run.
        line: line of the block's head in its file.
        pattern: for errors: regular expression the message must match; empty for any.
        identifier: for errors: identifier that must be raised; empty for any.
        names: for shared blocks: variables that later blocks see and may change.
        known_bug: True when Octave marks the block as failing in Octave itself.
    """

    kind: str
    code: str
    line: int
    pattern: str = ""
    identifier: str = ""
    names: tuple[str, ...] = ()
    known_bug: bool = False


@dataclass(slots=True)
class TestFile:
    """The blocks of one file.

    Attributes:
        path: the file.
        blocks: the blocks, in order; a function holds for the blocks behind it.
    """

    path: Path
    blocks: list[Block] = field(default_factory=list)


def read(path: Path) -> TestFile:
    """All blocks of ``path``; demos and feature-conditional blocks are left out."""
    result = TestFile(path)
    for line, head, body in _sections(path.read_text(encoding="utf-8", errors="replace")):
        _sort_in(result, line, head, body)
    return result


def _sections(text: str) -> list[tuple[int, str, str]]:
    sections: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = _HEAD.match(line)
        if match is None:
            continue
        head, rest = match.groups()
        if head and not line[2:3].isspace():
            sections.append((number, head, [rest]))
        elif sections:
            sections[-1][2].append(line[2:])
    return [(number, head, "\n".join(body)) for number, head, body in sections]


def _sort_in(result: TestFile, line: int, head: str, body: str) -> None:
    if head == "shared":
        names, _, code = body.partition("\n")
        names = re.sub(r"[%#].*", "", names)
        result.blocks.append(Block("shared", code, line, names=tuple(re.findall(r"\w+", names))))
    elif head == "function":
        result.blocks.append(Block(head, f"function {body.strip()}\nend\n", line))
    elif head in {"assert", "test", "error", "warning", "fail"}:
        result.blocks.append(_block(head, line, body))


def _block(head: str, line: int, body: str) -> Block:
    bug = _BUG.match(body)
    known = bool(bug and not bug[1].startswith("*") and head in {"assert", "test"})
    if head == "test":
        return Block(head, body[bug.end() :] if bug else body, line, known_bug=known)
    if head in {"assert", "fail"}:
        return Block(head, head + (body[bug.end() :] if bug else body), line, known_bug=known)
    identifier = _ERROR_ID.match(body)
    if identifier:
        return Block(head, body[identifier.end() :], line, identifier=identifier[1])
    pattern = bug[1] if bug else ""
    if re.fullmatch(r"\*?\d+", pattern):
        again = _BUG.match(body[bug.end() :]) if bug else None
        body = body[bug.end() :] if bug else body
        pattern, bug = (again[1], again) if again else ("", None)
    return Block(head, body[bug.end() :] if bug else body, line, pattern=pattern)
