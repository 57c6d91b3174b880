"""Text to tokens: everything that depends on blanks, brackets or position is decided here.

The parser gets a regular stream: commas between the elements of ``[a b]``, transposes told from
quotes, command syntax as ``COMMAND WORD…``, ``end`` in an index apart from ``end`` of a block,
and a separator behind every statement.
"""

from __future__ import annotations

import re

from app.engine.language import lexer_commands, lexer_words, patterns
from app.engine.language.diagnostics import Diagnostic, Severity
from app.engine.language.open_blocks import Blocks
from app.engine.language.tokens import MATLAB, OCTAVE, OPERATORS, SEPARATORS, Dialect, TokenStream
from app.source import Span


def tokenize(text: str, dialect: Dialect = MATLAB, *, expression: bool = False) -> TokenStream:
    """The tokens of ``text``; an ``expression`` begins no command and assigns nothing."""
    lexer = Lexer(text, dialect)
    lexer.begins = not expression
    lexer.run()
    return lexer.stream


class Lexer:
    """One pass over a text.

    Attributes:
        value: the last token ends a value (so ``'`` transposes and ``(`` indexes).
        begins: a statement begins here.
        header: inside the expression of ``if``, ``for``… whose body may follow without separator.
        signature: between ``function`` and the end of its first line.
        declaring: in a line of a properties or arguments block, before its ``=``.
        matrix: the innermost bracket separates elements by blanks.
        brackets: the open brackets; ``i`` indexes with braces, ``o`` lists outputs, ``a`` lists
            the parameters of an anonymous function, ``b`` is the body of one in a matrix (where
            Octave's blanks separate nothing).
        known: names assigned so far in this function; they never begin a command.
        subject: first word of the statement.
    """

    __slots__ = (
        "begins",
        "blocks",
        "brackets",
        "declaring",
        "dialect",
        "ends",
        "handlers",
        "header",
        "kinds",
        "known",
        "matrix",
        "pos",
        "signature",
        "starts",
        "stream",
        "subject",
        "text",
        "value",
    )

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text, self.dialect, self.pos = text, dialect, 0
        self.stream = TokenStream()
        self.kinds, self.starts, self.ends = self.stream.kinds, self.stream.starts, self.stream.ends
        self.blocks = Blocks()
        self.brackets: list[str] = []
        self.known: set[str] = set()
        self.subject = ""
        self.value = self.header = self.signature = self.declaring = self.matrix = False
        self.begins = True
        self.handlers = {
            "word": self._word,
            "number": self._number,
            "separator": self._separator,
            "open": self._open,
            "close": self._close,
            "newline": self._newline,
            "comment": self._comment,
            "operator": self._operator,
            "quote": self._quote,
            "string": self._string,
            "at": self._lex_at_sign,
            "meta": self._meta,
            "bad": self._report_character,
        }

    def run(self) -> None:
        """Read everything."""
        match, text, handlers = patterns.TOKEN.match, self.text, self.handlers
        while True:
            found = match(text, self.pos)
            kind = found.lastgroup if found else None
            if found is None or kind is None:
                break
            handlers[kind](found, *found.span(kind))
        self.end_of_line(len(text))
        self.emit("NL", len(text), len(text))
        self.blocks.close_functions(self)
        self.emit("$END", len(text), len(text))
        self.stream.blocks = self.blocks.spans

    # --- what the handlers share -------------------------------------------------------------

    def emit(self, kind: str, start: int, end: int) -> None:
        """Append a token and go on behind it."""
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)
        self.pos = end

    def operand(self, kind: str, found: re.Match[str], start: int, end: int) -> None:
        """Append a token that is a value; behind a blank in a matrix it is a new element."""
        if self.value and self.matrix and start > found.start():
            self.emit("COMMA", start, start)
        self.emit(kind, start, end)
        self.value = True
        self.begins = False

    def end_of_line(self, place: int) -> None:
        """End the statement; brackets still open are forgotten (the parser will complain)."""
        self.brackets.clear()
        self.matrix = False
        if self.kinds and self.kinds[-1] not in SEPARATORS:
            self.emit("NL", place, place)
        self.start_statement()

    def start_statement(self) -> None:
        """A statement begins at the next token."""
        self.begins = True
        self.value = self.header = self.signature = self.declaring = False
        self.subject = ""

    def push(self, bracket: str) -> None:
        """Open a bracket."""
        self.brackets.append(bracket)
        self.matrix = bracket in "[{o"
        self.value = self.begins = False

    def problem(self, start: int, end: int, message: str) -> None:
        """Report what cannot be read."""
        found = Diagnostic(Span(start, end), Severity.ERROR, "syntax", message)
        self.stream.diagnostics.append(found)

    def juxtaposed(self) -> bool:
        """True behind a finished header: ``if (x) y`` begins a statement at ``y``."""
        return self.header and self.value and not self.brackets

    # --- handlers ------------------------------------------------------------------------------

    def _word(self, found: re.Match[str], start: int, end: int) -> None:
        if self.value and self.matrix and start > found.start():
            self.emit("COMMA", start, start)
        if not lexer_words.special(self, found["word"], start, end):
            self.emit("NAME", start, end)
            self.value = True
            self.begins = False

    def _number(self, found: re.Match[str], start: int, end: int) -> None:
        self.operand("NUMBER", found, start, end)

    def _separator(self, found: re.Match[str], start: int, end: int) -> None:
        comma = found["separator"] == ","
        if not self.brackets:
            self.emit("COMMA" if comma else "SEMI", start, end)
            self.start_statement()
        elif comma:
            self.emit("COMMA", start, end)
            self._end_anonymous()
            self.value = False
        elif self.matrix or self._end_anonymous():
            self.emit("ROWSEP", start, end)
            self.value = False
        else:
            self.brackets.clear()
            self.matrix = False
            self.emit("SEMI", start, end)
            self.start_statement()

    def _open(self, found: re.Match[str], start: int, end: int) -> None:
        bracket = found["open"]
        if self.value and self.matrix and start > found.start():
            self.emit("COMMA", start, start)
            self.value = False
        if bracket == "(":
            is_anonymous = bool(self.kinds) and self.kinds[-1] == "AT"
            self.emit("LPAR", start, end)
            self.push("a" if is_anonymous else "(")
        elif bracket == "[":
            self._open_square(start, end)
        elif self.declaring and not self.brackets:
            self.emit("VBRACE", start, end)
            self.push("i")
        elif self.value:
            self.emit("IBRACE", start, end)
            self.push("i")
        else:
            self.emit("LBRACE", start, end)
            self.push("{")

    def _open_square(self, start: int, end: int) -> None:
        if self.juxtaposed():
            self.end_of_line(start)
        is_target = self._opens_targets(start)
        self.emit("OBRA" if is_target else "LBRA", start, end)
        self.push("o" if is_target else "[")

    def _opens_targets(self, start: int) -> bool:
        """At a statement's begin; in Octave as an argument and on the right of ``=``, too."""
        if self.signature:
            return not self.brackets
        if not (self.begins and not self.brackets):
            last = self.kinds[-1] if self.kinds else ""
            inside = self.dialect is OCTAVE and not self.matrix
            if not inside or last not in ("LPAR", "IBRACE", "COMMA", "EQ"):
                return False
        return patterns.is_target_list(self.text, start)

    def _end_anonymous(self) -> bool:
        """Leave the body of an anonymous function in a matrix; True when in one."""
        if not self.brackets or self.brackets[-1] != "b":
            return False
        self.brackets.pop()
        self.matrix = True
        return True

    def _close(self, found: re.Match[str], start: int, end: int) -> None:
        bracket = found["close"]
        self._end_anonymous()
        opened = self.brackets.pop() if self.brackets else ""
        kind = {")": "RPAR", "]": "RBRA", "}": "RBRACE"}[bracket]
        self.emit(kind, start, end)
        self.value = opened != "a"
        self.matrix = bool(self.brackets) and self.brackets[-1] in "[{o"
        if opened == "a" and self.matrix and self.dialect is OCTAVE:
            self.push("b")
        if self.signature and not self.brackets and bracket == ")":
            self.signature, self.header = False, True

    def _newline(self, found: re.Match[str], start: int, end: int) -> None:
        if not self.brackets or patterns.ABANDONED.match(self.text, end):
            self.end_of_line(start)
        elif self.matrix or self._end_anonymous():
            if self.kinds[-1] not in ("ROWSEP", "LBRA", "LBRACE", "OBRA"):
                self.emit("ROWSEP", start, end)
            self.value = False
        self.pos = end

    def _comment(self, found: re.Match[str], start: int, end: int) -> None:
        end = patterns.comment_end(self.text, start)
        self.stream.comments.append(Span(start, end))
        self.pos = end
        continued = "..." in self.text[found.start() : start]
        if continued and not (self.value or self.begins or self.brackets):
            lines = patterns.COMMENT_LINES.match(self.text, start)
            self.pos = lines.end() if lines else end

    def _operator(self, found: re.Match[str], start: int, end: int) -> None:
        text = found["operator"]
        kind = OPERATORS[text]
        if kind == "INCR" and not self._is_increment(start, end):
            text, kind, end = text[0], "ADDOP", start + 1
        if kind == "NOT":
            if self.juxtaposed():
                self.end_of_line(start)
            if self._not(found, start, end):
                return
        elif kind == "ADDOP" and self.value and self.matrix and start > found.start():
            if self.text[end : end + 1] not in patterns.BLANKS:
                self.emit("COMMA", start, start)
        elif kind == "EQ" and not self.brackets:
            self.known.add(self.subject)
            self.declaring = False
        self.emit(kind, start, end)
        self.value = kind == "TRANSPOSE" or (kind == "INCR" and self.value)
        self.begins = False

    def _is_increment(self, start: int, end: int) -> bool:
        if self.matrix:
            return False
        if self.value:
            octave = self.dialect is not MATLAB
            operand = patterns.OCTAVE_OPERAND_FOLLOWS if octave else patterns.OPERAND_FOLLOWS
            return not operand.match(self.text, end)
        first = self.begins or self.dialect is not MATLAB
        return first and self.text[end : end + 1].isidentifier()

    def _not(self, found: re.Match[str], start: int, end: int) -> bool:
        """Handle a ``~`` or ``!`` that is no plain negation."""
        if self.begins and found["operator"] == "!" and self.dialect is MATLAB:
            end = lexer_commands.line_end(self.text, start)
            self.emit("SHELL", start, end)
            self.begins = False
            return True
        if self.matrix:
            if self.value and start > found.start():
                self.emit("COMMA", start, start)
            if self.brackets[-1] == "o":
                self.emit("IGNORED", start, end)
                self.value = True
                return True
        return False

    def _quote(self, found: re.Match[str], start: int, end: int) -> None:
        apart = start > found.start()
        if apart and self.juxtaposed() and patterns.CHAR.match(self.text, start):
            self.end_of_line(start)
        if self.value and not (self.matrix and apart):
            self.emit("TRANSPOSE", start, end)
        else:
            self._text("CHAR", patterns.CHAR, found, start)

    def _string(self, found: re.Match[str], start: int, end: int) -> None:
        pattern = patterns.STRING if self.dialect is MATLAB else patterns.OCTAVE_STRING
        self._text("STRING", pattern, found, start)

    def _text(self, kind: str, pattern: re.Pattern[str], found: re.Match[str], start: int) -> None:
        text = pattern.match(self.text, start)
        if text is None:
            end = lexer_commands.line_end(self.text, start)
            quote = self.text[start]
            self.problem(start, end, f"This text is not closed: a {quote} is missing at its end.")
            self.operand(kind, found, start, end)
        else:
            self.operand(kind, found, start, text.end())

    def _lex_at_sign(self, found: re.Match[str], start: int, end: int) -> None:
        joined = start == found.start() or not self.matrix  # obj @ Super(x); [f @g] is two values
        if self.value and joined and self.kinds[-1] == "NAME":
            superclass = patterns.HANDLE.match(self.text, start)
            if superclass:
                self.kinds[-1] = "SUPER"
                self.ends[-1] = self.pos = superclass.end()
                return
        if self.value and start > found.start():
            self._end_anonymous()  # nothing else begins with @ here: {@(x) x @(y) y}
        handle = patterns.HANDLE.match(self.text, start)
        self.operand("HANDLE" if handle else "AT", found, start, handle.end() if handle else end)
        self.value = handle is not None

    def _meta(self, found: re.Match[str], start: int, end: int) -> None:
        self.operand("META", found, start, end)

    def _report_character(self, found: re.Match[str], start: int, end: int) -> None:
        self.problem(start, end, f"The character {found['bad']!r} has no meaning here.")
        self.pos = end
