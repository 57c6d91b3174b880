"""The LALR table of ``matlab.lark``: built by lark once, at set-up or when it is first needed.

Set-up writes it beside the grammar (``write_beside``); where nobody did, the first start keeps it
in the cache folder. Loading it takes a few milliseconds and does not import lark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from app.records import mutable_record, record

GRAMMAR = Path(__file__).with_name("matlab.lark")
BESIDE = GRAMMAR.with_suffix(".table.json")
STARTS = ("file", "single")
FORMAT = 2


class Goto(dict[str, int]):
    """The state after a reduction, by the next token, with unit reductions followed through.

    ``a`` alone climbs a dozen precedence levels; each (state, symbol, token) climbs only once.
    """

    __slots__ = ("symbol", "table", "under")

    def __init__(self, table: Table, under: int, symbol: str) -> None:
        super().__init__()
        self.table, self.under, self.symbol = table, under, symbol

    def __missing__(self, kind: str) -> int:
        table = self.table
        state = table.plain_gotos[self.under][self.symbol]
        action = table.actions[state].get(kind, 0)
        while action < 0 and table.rules[~action].is_unit:
            state = table.plain_gotos[self.under][table.rules[~action].origin]
            action = table.actions[state].get(kind, 0)
        self[kind] = state
        return state


@record
class Rule:
    """One production: ``size`` symbols become ``origin`` by the action of that name."""

    origin: str
    size: int
    action: str

    @property
    def is_unit(self) -> bool:
        """True when it only hands a value on."""
        return self.size == 1 and not self.action


@mutable_record
class Table:
    """The parse table.

    Attributes:
        actions: per state and token: shift to state ``n > 0``, or reduce by rule ``~n``.
        plain_gotos: per state and nonterminal, the next state.
        gotos: the same with unit reductions followed through.
        rules: the productions.
        starts: first state per start symbol.
        ends: last state per start symbol.
    """

    actions: list[dict[str, int]]
    plain_gotos: list[dict[str, int]]
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]
    gotos: list[dict[str, Goto]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gotos = [
            {symbol: Goto(self, state, symbol) for symbol in row}
            for state, row in enumerate(self.plain_gotos)
        ]


@cache
def table() -> Table:
    """The table, from set-up or the cache folder when it is there and fits the grammar."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    with suppress(OSError):
        beside = json.loads(BESIDE.read_text(encoding="utf-8"))
        if (beside.get("format"), beside.get("grammar")) == (FORMAT, grammar):
            return _decode(beside)
    return _cached_table(grammar)


def write_beside() -> None:
    """Keep the table with the program, for everybody who starts it."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    data = {"format": FORMAT, "grammar": grammar, **_build(grammar)}
    BESIDE.write_text(json.dumps(data), encoding="utf-8")


def _cached_table(grammar: str) -> Table:
    """The table of the grammar, from the cache folder where it is there."""
    from app import cachefile, paths
    from app.digests import text_digest

    digest = text_digest(f"{FORMAT}:{grammar}")
    place = paths.cache_dir() / f"grammar-{digest}.json"
    kept = cachefile.read(place)
    if kept is not None:
        return _decode(json.loads(kept))
    data = _build(grammar)
    cachefile.write(place, json.dumps(data).encode())
    return _decode(data)


def _decode(data: dict[str, Any]) -> Table:
    rules = [Rule(*row) for row in data["rules"]]
    return Table(data["actions"], data["gotos"], rules, data["starts"], data["ends"])


def _build(grammar: str) -> dict[str, Any]:
    """Have lark compute the table and flatten it to plain data; state 0 is moved out of the way."""
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import Shift

    class Stream(Lexer):
        """Stands in for the token stream, which lark never sees."""

        def __init__(self, conf: object) -> None: ...

        def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
            """Nothing: parsing runs in ``app.engine.language.parser``."""
            return iter(())

    lark = Lark(grammar, parser="lalr", lexer=Stream, start=list(STARTS))
    source: Any = lark.parser.parser._parse_table  # noqa: SLF001 - lark has no public table
    count = max(source.states) + 2
    actions: list[dict[str, int]] = [{} for _ in range(count)]
    gotos: list[dict[str, int]] = [{} for _ in range(count)]
    rules: dict[Any, int] = {}
    for state, row in source.states.items():
        for symbol, (action, target) in row.items():
            if action is not Shift:
                actions[state + 1][symbol] = ~rules.setdefault(target, len(rules))
            else:
                side = actions if symbol.isupper() or symbol == "$END" else gotos
                side[state + 1][symbol] = target + 1
    return {
        "actions": actions,
        "gotos": gotos,
        "rules": [[r.origin.name, len(r.expansion), r.alias or ""] for r in rules],
        "starts": {k: v + 1 for k, v in source.start_states.items()},
        "ends": {k: v + 1 for k, v in source.end_states.items()},
    }
