"""The VS Code extension's files refer to what there is, and say what the program says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import regex

from app.engine.language.lexer_words import KEYWORDS
from app.lsp.server import add_features
from scripts.vscode_snippets import TARGET, converted

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


def patterns(node: Any) -> Iterator[str]:
    """Every regular expression of a grammar."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("match", "begin", "end") if key in node)
        for held in node.values():
            yield from patterns(held)
    elif isinstance(node, list):
        for held in node:
            yield from patterns(held)


def test_every_file_that_the_manifest_names_is_there() -> None:
    contributes = MANIFEST["contributes"]
    named = [MANIFEST["main"], *(g["path"] for g in contributes["grammars"])]
    named += [s["path"] for s in contributes["snippets"]]
    named += [k["configuration"] for k in contributes["languages"]]
    assert [path for path in named if not (FOLDER / path).is_file()] == []
    assert {g["language"] for g in contributes["grammars"]} == {"matlab"}


def test_the_grammar_knows_the_keywords() -> None:
    text = (FOLDER / "syntaxes" / "matlab.tmLanguage.json").read_text(encoding="utf-8")
    grammar = json.loads(text)
    for pattern in patterns(grammar):
        regex.compile(pattern)
    words = set(re.findall(r"[a-z]+", " ".join(patterns(grammar["repository"]["keywords"]))))
    assert set(KEYWORDS) <= words


def test_the_snippets_are_those_of_the_window() -> None:
    assert TARGET.read_text(encoding="utf-8") == converted()


def test_its_commands_are_the_server_s_or_its_own() -> None:
    source = Path(add_features.__code__.co_filename).read_text(encoding="utf-8")
    program = (FOLDER / MANIFEST["main"]).read_text(encoding="utf-8")
    contributes = MANIFEST["contributes"]
    commands = {c["command"] for c in contributes["commands"]}
    own = set(re.findall(r'registerCommand\("([\w.]+)"', program))
    assert [name for name in commands - own if f'@server.command("{name}")' not in source] == []
    asked = [entry for entries in contributes["menus"].values() for entry in entries]
    assert {entry["command"] for entry in (*asked, *contributes["keybindings"])} <= commands
