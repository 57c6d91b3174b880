"""Blocks nested more deeply than CPython compiles become functions of their own.

CPython takes twenty nested loops and ``try`` blocks. A block at the limit moves into a function
beside the one it was in, which shares all variables with it; what it left by ``break``,
``continue`` or ``return`` it says by its result.
"""

from __future__ import annotations

import ast as py
from collections.abc import Iterator

from app.engine.interpreter.frames import MARK

DEEPEST = 12
"""Blocks of one function; a loop of ours may be two of CPython's, and some are always around."""
_BLOCKS = (py.For, py.While, py.Try, py.With)
_LEFT = "#left"
_BREAK, _CONTINUE = 1, 2


def lift(function: py.FunctionDef) -> None:
    """Move blocks that are nested too deeply out of a function, and out of those inside it."""
    lifted: list[py.FunctionDef] = []
    _visit(function.body, 0, lifted)
    if not lifted:
        return
    shared = _global_names(function)
    bound: set[str] = set()
    for made in lifted:
        names = _names_set_by(made)
        bound |= names - shared
        head: list[py.stmt] = []
        kinds: tuple[type[py.Global | py.Nonlocal], ...] = (py.Global, py.Nonlocal)
        for kind, chosen in zip(kinds, (names & shared, names - shared), strict=True):
            if chosen:
                head.append(py.copy_location(kind(sorted(chosen)), made))
        made.body = [*head, *made.body]
    # Named here for good, whether or not this function itself ever sets them.
    targets: list[py.expr] = [py.Name(name, py.Store()) for name in sorted(bound | {_LEFT})]
    never = py.If(py.Constant(False), [py.Assign(targets, py.Constant(None))], [])
    start = next(
        (k for k, s in enumerate(function.body) if not isinstance(s, py.Global | py.Nonlocal)), 0
    )
    mark = function.body[start]
    py.copy_location(never, mark)
    function.body[start:start] = [py.fix_missing_locations(never), *lifted]


def _visit(body: list[py.stmt], depth: int, lifted: list[py.FunctionDef]) -> None:
    """Go through a list of statements at a depth; iterative along lists, bounded in depth."""
    pending = [(body, depth)]
    while pending:
        statements, level = pending.pop()
        for at, node in enumerate(statements):
            if isinstance(node, py.FunctionDef):
                lift(node)
                continue
            inner = level + isinstance(node, _BLOCKS)
            if inner > DEEPEST:
                statements[at : at + 1] = _call_of_block(node, lifted)
                pending.append((lifted[-1].body, 0))
                pending.append((statements, level))
                break
            pending += [(part, inner) for part in _parts(node)]


def _parts(node: py.stmt) -> Iterator[list[py.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        part = getattr(node, name, None)
        if isinstance(part, list) and part:
            yield part
    for handler in getattr(node, "handlers", ()):
        yield handler.body


def _call_of_block(node: py.stmt, lifted: list[py.FunctionDef]) -> list[py.stmt]:
    """The call that stands where a block was, and what follows from how it ended."""
    name = f"{MARK} {len(lifted)}"
    inside = _Exits()
    inside.go_through(node)
    empty = py.arguments([], [], None, [], [], None, [])
    made = py.FunctionDef(name, empty, [node], [], None)
    lifted.append(py.copy_location(made, node))
    call = py.Call(py.Name(name, py.Load()), [], [])
    kept = py.Assign([py.Name(_LEFT, py.Store())], call)
    after: list[py.stmt] = [kept]
    for code, step in ((_BREAK, py.Break()), (_CONTINUE, py.Continue())):
        if code in inside.found:
            test = py.Compare(py.Name(_LEFT, py.Load()), [py.Eq()], [py.Constant(code)])
            after.append(py.If(test, [step], []))
    if inside.returns:
        test = py.Compare(py.Name(_LEFT, py.Load()), [py.IsNot()], [py.Constant(None)])
        value = py.Subscript(py.Name(_LEFT, py.Load()), py.Constant(0), py.Load())
        after.append(py.If(test, [py.Return(value)], []))
    return [py.fix_missing_locations(py.copy_location(s, node)) for s in after]


class _Exits:
    """Turns what leaves a block into results: ``break``, ``continue``, ``return``."""

    def __init__(self) -> None:
        self.found: set[int] = set()
        self.returns = False

    def go_through(self, top: py.stmt) -> None:
        """Rewrite below ``top``, which may be a loop itself."""
        pending: list[tuple[list[py.stmt], bool]] = [
            (part, self._belongs_to(top, part)) for part in _parts(top)
        ]
        while pending:
            statements, in_loop = pending.pop()
            for at, node in enumerate(statements):
                if isinstance(node, py.FunctionDef):
                    continue
                if isinstance(node, py.Return):
                    self.returns = True
                    value = py.Tuple([node.value or py.Constant(None)], py.Load())
                    statements[at] = _return(value, node)
                elif isinstance(node, py.Break | py.Continue) and not in_loop:
                    code = _BREAK if isinstance(node, py.Break) else _CONTINUE
                    self.found.add(code)
                    statements[at] = _return(py.Constant(code), node)
                pending += [(p, in_loop or self._belongs_to(node, p)) for p in _parts(node)]

    @staticmethod
    def _belongs_to(node: py.stmt, part: list[py.stmt]) -> bool:
        """Whether ``break`` in this part of a statement belongs to the statement."""
        return isinstance(node, py.For | py.While) and part is node.body


def _return(value: py.expr, place: py.stmt) -> py.stmt:
    return py.fix_missing_locations(py.copy_location(py.Return(value), place))


def _global_names(function: py.FunctionDef) -> set[str]:
    return {n for s in function.body if isinstance(s, py.Global) for n in s.names}


def _names_set_by(function: py.FunctionDef) -> set[str]:
    """Names that a lifted function sets or deletes, those of its comprehensions aside."""
    found: set[str] = set()
    pending: list[py.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, py.FunctionDef):
            found.add(node.name)
            continue
        if isinstance(node, py.Lambda | py.ListComp | py.GeneratorExp | py.SetComp | py.DictComp):
            continue
        if isinstance(node, py.Name) and not isinstance(node.ctx, py.Load):
            found.add(node.id)
        if isinstance(node, py.ExceptHandler) and node.name:
            found.add(node.name)
        pending += py.iter_child_nodes(node)
    return found
