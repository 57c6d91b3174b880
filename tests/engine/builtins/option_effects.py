"""Which options of builtins have an effect, and the calls that show it.

The options are those that a builtin names when it is given one that it does not have, and the words
of its declaration. ``python -m tests.engine.builtins.option_effects [NAME…]`` looks in declared
examples for a call of every one that has no line in ``option_effects.txt`` and writes the lines it
finds; what it names beside them changed nothing: mend or refuse it, or show its effect with a line
by hand. A line is ``function => statements with @@ where options go => the option with its value``.
Where that is what happens anyway, `` => what differs from it`` follows; `` => default`` where there
is nothing else; `` => refused`` where the option is, or where it sets how an answer is found, not
what it is, so that only a value that means nothing shows that it is read.
"""

from __future__ import annotations

import re
import signal
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from app.engine.declarations import registry
from app.errors import FuselabError
from tests.engine.builtins.engine_session import Session
from tests.engine.builtins.example_calls import calls_of

TABLE = Path(__file__).parent / "option_effects.txt"
_SECONDS = 30
_LISTED = re.compile(r"is not an option of [^\n]*\. Its options are: ([^\n]*)\.$", re.MULTILINE)
_TEXT = re.compile(r""",\s*['"]""")
_WORDS = re.compile(r"must be ([^\n]*)")
_VALUES = (
    "true false 0 1 2 3 5 0.5 10 -1 NaN [] [1,2] [2;1] [0,1] [3,3] [1,0,0] 1:5 'a' 'b' \"a\" {'a'} "
    "{'a','b'} [\"a\",\"b\"] @(x)x @(x)max(x) 'omitnan' 'all' 'on' 'off' 'none' seconds(1) days(1) "
    "datetime(2020,1,1) 'yyyy'"
).split(" ")
"""What is tried for an option; the words that an error names are tried, too."""
_FEWER = ("MATLAB:TooManyOutputs", "MATLAB:maxlhs", "MATLAB:needMoreRhsOutputs")
"""Errors of calls that were asked for more outputs than they have."""
_LOOK = (
    "disp(class(zz{k})), disp(size(zz{k})), "
    "try, format long g, disp(zz{k}), catch, end, format short, "
    "try, disp(get(zz{k})), catch, end, try, disp(struct(zz{k})), catch, end"
)
_FIGURES = "for zh = findall(groot)', if ~isequal(zh, groot), disp(get(zh)), end, end"


class Asked(Session):
    """A session that shows dialogs and is given no answers; what is asked is printed."""

    windowed = True

    def ask(self, question: object) -> tuple[str, ...]:
        self.write(f"{question}\n")
        return ()


class Slow(Exception):
    """A call took longer than it was given."""


@contextmanager
def _limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Slow

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def outcome(session: Session, name: str, statements: str, options: str = "") -> str:
    """What a call shows of itself: what it prints, returns, draws and writes into the folder.

    ``options`` is put where ``@@`` stands in ``statements``; a call inside another one is looked at
    through that one. Raises FuselabError.
    """
    place = max(
        m.start()
        for m in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", statements)
        if m.start() < statements.index("@@")
    )
    start = statements.rfind("; ", 0, place) + 2 if "; " in statements[:place] else 0
    inside = bool(statements[start:place].strip())
    call = statements[start:].replace("(@@", "(" + options.removeprefix(", "))
    before, call = statements[:start], call.replace("@@", options)
    counts = (1,) if inside else range(_outputs(name), -1, -1)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for count in counts:
            left = f"[zz{{1:{count}}}] = " if count else ""
            session.run(f"close all force; clear; fclose all; rng(1); zz = cell(1, {count});")
            try:
                shown = session.run(f"{before} {left}{call};")
            except FuselabError as problem:
                if problem.identifier not in _FEWER or not count:
                    raise
            else:
                break
        shown += session.run(f"for k = 1:{count}, {_LOOK}, end")
        shown += session.run(_FIGURES)
        files = [f for f in sorted(Path(folder).iterdir()) if f.is_file()]
        return shown + "".join(f"{f.name}: {_content(f)!r}" for f in files)


def _content(file: Path) -> object:
    """What a file holds; of a spreadsheet, without the time when it was written."""
    if not zipfile.is_zipfile(file):
        return file.read_bytes()
    with zipfile.ZipFile(file) as book:
        return {n: book.read(n) for n in book.namelist() if not n.startswith("docProps")}


def _outputs(name: str) -> int:
    """The most outputs that a signature of a builtin names."""
    most = 0
    for signature in registry.load_all()[name].signatures:
        left, equals, _ = signature.partition("=")
        if equals and "(" not in left:
            most = max(most, len(re.findall(r"[\w~]+", left)))
    return most


def options_of(session: Session, name: str) -> list[str]:
    """The options that a builtin names when it is given one that it does not have."""
    found: set[str] = set()
    for before, call in calls_of(name):
        comma = "" if call.endswith("(") else ", "
        for words in ("'zzbogus', 7", "'zzbogus'"):
            try:
                with _limit():
                    session.run(f"close all force; clear; {before} {call}{comma}{words});")
            except FuselabError as problem:
                listed = _LISTED.search(str(problem))
                found |= set(re.split(r"[ ,]+", listed[1])) if listed else set()
            except Slow:
                pass
    return sorted(found - set(words_of(name)))


def words_of(name: str) -> list[str]:
    """The option words that a builtin declares."""
    return sorted(registry.load_all()[name].words or ())


def _trials(name: str) -> list[str]:
    """Statements with the calls of the examples, whole and up to their first text, and the place
    of an option."""
    calls = [(before, call) for before, call in calls_of(name) if not call.endswith("(")]
    short = [(before, _TEXT.split(call)[0]) for before, call in calls]
    return list(dict.fromkeys(f"{before} {call}@@)".strip() for before, call in calls + short))


def _attempt(session: Session, name: str, statements: str, options: str = "") -> str | FuselabError:
    try:
        with _limit():
            return outcome(session, name, statements, options)
    except FuselabError as problem:
        return problem
    except Slow:
        return FuselabError(f"{name} is slow")


def shown_effect(session: Session, name: str, option: str) -> tuple[str, list[str], list[str]]:
    """A line for an option, or "" and the values taken without effect; internal errors met."""
    taken: list[str] = []
    internal: list[str] = []
    for statements in _trials(name):
        usual = _attempt(session, name, statements)
        if not isinstance(usual, str):
            continue
        values = list(_VALUES)
        for value in values:
            given = f", '{option}', {value}"
            found = _attempt(session, name, statements, given)
            if not isinstance(found, str):
                if "internal" in getattr(found, "identifier", ""):
                    internal.append(statements.replace("@@", given))
                said = _WORDS.search(str(found))
                words = re.findall(r"[A-Za-z][\w-]+", said[1]) if said else []
                values += [f"'{w}'" for w in words[:25] if f"'{w}'" not in values]
            elif found != usual and _attempt(session, name, statements) == usual:
                return f"{name} => {statements} => {given[2:]}", taken, internal
            else:
                taken.append(value)
    return "", taken, internal


def lines() -> list[list[str]]:
    """The lines of the table, in three parts."""
    return [line.split(" => ") for line in TABLE.read_text().splitlines()]


def shown_word(session: Session, name: str, word: str) -> str:
    """A line for a word of a declaration, or "" where no example shows its effect."""
    others = [f"'{w}'" for w in words_of(name) if w != word]
    givens = [f"'{word}'", *(f"'{word}', {value}" for value in _VALUES)]
    for statements in _trials(name):
        for given in givens:
            found = _attempt(session, name, statements, f", {given}")
            if not isinstance(found, str):
                continue
            for other in ("", *others):
                usual = _attempt(session, name, statements, other and f", {other}")
                again = _attempt(session, name, statements, f", {given}")
                if isinstance(usual, str) and usual != found == again:
                    return " => ".join(filter(None, (name, statements, given, other)))
    return ""


def lacking(session: Session, name: str) -> list[str]:
    """The options and words of a builtin that have no line."""
    known = {line[2].split(",")[0].strip("'").lower() for line in lines() if line[0] == name}
    return [o for o in options_of(session, name) + words_of(name) if o.lower() not in known]


def main(names: list[str]) -> None:
    """Look for the effects of options without a line, and write those found."""
    session = Asked()
    for name in names or list(registry.load_all()):
        for option in lacking(session, name):
            if option in words_of(name):
                line, taken, internal = shown_word(session, name, option), [], []
            else:
                line, taken, internal = shown_effect(session, name, option)
            if line:
                with TABLE.open("a") as table:
                    table.write(line + "\n")
            else:
                print(
                    f"{name} {option}: taken without effect: {list(dict.fromkeys(taken))[:12]}",
                    flush=True,
                )
            for statements in internal:
                print(f"internal error: {statements}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
