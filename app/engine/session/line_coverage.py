"""Which lines of `.m` files ran, and which could have run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from app import textfile
from app.engine.interpreter.debugging import LineTime
from app.engine.language import ast, parse
from app.engine.language.walk import walk_body
from app.source import SourceText


def counts_of(
    files: Iterable[Path], ran: Mapping[tuple[str, int], LineTime]
) -> dict[str, dict[int, int]]:
    """How often each line with a statement ran, by file and line; 0 for one that did not.

    Args:
        files: the files that count, as absolute paths.
        ran: what the debugger counted while it was profiling.

    Raises:
        UsageError: a file cannot be read.
    """
    by_file: dict[str, dict[int, int]] = {}
    for (file, line), time in ran.items():
        by_file.setdefault(file, {})[line] = time.count
    found = {}
    for path in files:
        seen = by_file.get(str(path), {})
        source = SourceText(str(path), textfile.read(path).text)
        lines = statement_lines(source)
        found[str(path)] = {line: seen.get(line, 0) for line in sorted(lines)}
    return found


def statement_lines(source: SourceText) -> set[int]:
    """The lines on which statements begin, those of functions and methods included."""
    tree = parse(source).file
    nodes = [node for body in _bodies(tree) for node in walk_body(body)]
    places = [node.span.start for node in nodes if isinstance(node, ast.Statement)]
    return {source.line_of(place) for place in places}


def _bodies(tree: ast.File) -> Iterator[tuple[ast.Statement, ...]]:
    """The statements of a script, and of every function and method."""
    waiting = list(tree.functions)
    if tree.classdef is not None:
        for block in tree.classdef.blocks:
            if isinstance(block, ast.MethodsBlock):
                waiting += block.functions
    yield tree.body
    while waiting:
        function = waiting.pop()
        waiting += function.functions
        yield function.body
