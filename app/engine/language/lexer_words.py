"""What a word is: a keyword, the start of a command, or a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.language import lexer_commands
from app.engine.language.tokens import (
    BOUNDARIES,
    CLOSERS,
    HEADERS,
    KEYWORDS,
    OCTAVE_KEYWORDS,
    OPENERS,
    SECTIONS,
    STATEMENT_FOLLOWS,
)
from app.late_pattern import late_pattern

if TYPE_CHECKING:
    from app.engine.language.lexer import Lexer

_BLOCK_FOLLOWS = late_pattern(r"[ \t]*(?:\([^()\n]*\))?[ \t]*(?:[,;%#\n]|\.\.\.|\Z)")
_ASSIGNMENT_FOLLOWS = late_pattern(r"[ \t]*(?:=(?!=)|\(|\.[A-Za-z(])")
_CATCH_NAME = late_pattern(r"[ \t]+([A-Za-z_]\w*)[ \t]*(?=[;,%#\n]|\.\.\.|\Z|[ \t][A-Za-z])")
_OUTPUT = late_pattern(r"[ \t]*=")
_DECLARING = frozenset({"PROPERTIES", "ARGUMENTS"})
_DECLARING_WORDS = frozenset({"GLOBAL", "PERSISTENT"})
_JUMPS = frozenset({"RETURN", "BREAK", "CONTINUE"})
_NAMING = frozenset({"EVENTS", "ENUMERATION", "METHODS"})


def special(lexer: Lexer, word: str, start: int, end: int) -> bool:
    """Emit ``word`` if it is more than a plain name; True when it was."""
    kinds = lexer.kinds
    if (kinds and kinds[-1] == "DOT") or lexer.signature:
        if lexer.signature and (lexer.brackets or _OUTPUT.match(lexer.text, end)):
            lexer.known.add(word)
        return False
    kind = KEYWORDS.get(word)
    if kind is not None:
        return _keyword_or_end(lexer, kind, start, end)
    if lexer.brackets:
        if lexer.brackets[-1] == "o":
            lexer.known.add(word)
        return False
    if lexer.begins:
        return _first_word(lexer, word, start, end)
    if word in OCTAVE_KEYWORDS and (lexer.value or (kinds and kinds[-1] in _JUMPS)):
        keyword(lexer, OCTAVE_KEYWORDS[word], start, end)
        return True
    undeclared = lexer.blocks.top in _DECLARING and not lexer.declaring
    if lexer.juxtaposed() or (undeclared and lexer.value):
        lexer.end_of_line(start)
        return _first_word(lexer, word, start, end)
    if lexer.subject in _DECLARING_WORDS or (kinds and kinds[-1] in ("FOR", "PARFOR")):
        lexer.known.add(word)
    return False


def _keyword_or_end(lexer: Lexer, kind: str, start: int, end: int) -> bool:
    """A reserved word: ``end`` of an index, a method's name in a class, or a keyword."""
    if kind == "END" and lexer.brackets:
        lexer.emit("MEND", start, end)
        lexer.value = True
        return True
    if lexer.blocks.top == "METHODS" and kind == "END" and lexer.text[end : end + 1] == "(":
        return False
    keyword(lexer, kind, start, end)
    return True


def _first_word(lexer: Lexer, word: str, start: int, end: int) -> bool:
    """A word that begins a statement."""
    top = lexer.blocks.top
    if top == "CLASSDEF" and word in SECTIONS:
        keyword(lexer, word.upper(), start, end)
        return True
    kind = OCTAVE_KEYWORDS.get(word)
    if kind is not None and _is_octave_keyword(lexer, kind, end):
        keyword(lexer, kind, start, end)
        return True
    if word == "arguments" and lexer.blocks.fresh and _BLOCK_FOLLOWS.match(lexer.text, end):
        keyword(lexer, "ARGUMENTS", start, end)
        return True
    lexer.blocks.fresh = False
    lexer.subject = word
    if top in _DECLARING:
        lexer.declaring = True
        return False
    return top not in _NAMING and lexer_commands.command(lexer, word, start, end)


def _is_octave_keyword(lexer: Lexer, kind: str, end: int) -> bool:
    if kind == "UNTIL":
        return lexer.blocks.top == "DO"
    return not _ASSIGNMENT_FOLLOWS.match(lexer.text, end)


def keyword(lexer: Lexer, kind: str, start: int, end: int) -> None:
    """Emit a keyword and prepare for what follows it."""
    if lexer.brackets or kind in BOUNDARIES or lexer.header:
        lexer.end_of_line(start)
    lexer.emit(kind, start, end)
    if kind in OPENERS:
        lexer.blocks.open(lexer, kind)
    elif kind in CLOSERS:
        lexer.blocks.close(lexer, kind)
    else:
        lexer.blocks.fresh = False
    lexer.value = False
    lexer.declaring = False
    lexer.begins = kind in STATEMENT_FOLLOWS
    lexer.header = kind in HEADERS
    lexer.subject = kind
    if kind == "FUNCTION":
        lexer.signature = True
        lexer.known.clear()
    elif kind == "CATCH":
        _catch(lexer, end)


def _catch(lexer: Lexer, end: int) -> None:
    name = _CATCH_NAME.match(lexer.text, end)
    if name and name[1] not in KEYWORDS and name[1] not in OCTAVE_KEYWORDS:
        lexer.emit("CATCHNAME", *name.span(1))
        lexer.known.add(name[1])
    lexer.start_statement()
