"""What the text of a loop says before any type is known.

Above all: which variables it may read before it has set them; their values at entry matter.
"""

from __future__ import annotations

from app.engine.interpreter.compile.analysis import names_of_script, root_name
from app.engine.interpreter.compile.set_variables import asked_variable, cleared_variables
from app.engine.jit.trees import Cleared, Copies, Inlined, Listed
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.records import record


@record
class Facts:
    """What the text of a loop says before any type is known.

    Attributes:
        names: its variables.
        exposed: those whose value at the start of a pass may be read.
        arrays: those that are indexed.
        written: those that are changed by index.
        assigned: those that it assigns in any way.
    """

    names: tuple[str, ...]
    exposed: frozenset[str]
    arrays: frozenset[str]
    written: frozenset[str]
    assigned: frozenset[str]


def facts_of(node: ast.For | ast.While, names: tuple[str, ...]) -> Facts:
    """Read the text of a loop with these variables."""
    known = frozenset(names)
    copied = {t for n in walk_body((node,)) if isinstance(n, Copies) for t, _ in n.pairs}
    listed = {p.id for n in walk_body((node,)) if isinstance(n, Listed) for p in (n.held, n.count)}
    assigned = (frozenset(names_of_script((node,)).assigned) | copied | listed) & known
    arrays, written = text_facts((node,), known)
    return Facts(names, exposed_names(node) & known, arrays, written, assigned)


def text_facts(
    body: tuple[ast.Statement, ...], known: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that are indexed, and those that are changed by index."""
    nodes = list(walk_body(body))
    bases = [n.base for n in nodes if isinstance(n, ast.Index)]
    indexed = {b.id for b in bases if isinstance(b, ast.Name)}
    targets = [n.target for n in nodes if isinstance(n, ast.Assign | ast.OpAssign)]
    targets += [t for n in nodes if isinstance(n, ast.MultiAssign) for t in n.targets]
    written = {root_name(t) for t in targets if not isinstance(t, ast.Name | ast.Ignored)}
    written |= {n.held.id for n in nodes if isinstance(n, Listed)}
    return frozenset(indexed) & known, frozenset(written) & known


def meant_in(node: ast.For | ast.While) -> frozenset[str]:
    """Variables that are cleared, or of which is asked whether they have a value."""
    nodes = list(walk_body((node,)))
    cleared = {name for n in nodes if isinstance(n, Cleared) for name in n.names}
    return frozenset(cleared.union(filter(None, map(asked_variable, nodes))))


def exposed_names(node: ast.For | ast.While) -> frozenset[str]:
    """Names that a pass may read before it assigns them."""
    finder = _Finder()
    defined: set[str] = set()
    if isinstance(node, ast.While):
        finder.read(node.condition, defined)
    elif isinstance(node.target, ast.Name):
        defined.add(node.target.id)
    finder.block(node.body, defined)
    return frozenset(finder.found)


class _Finder:
    """Walks statements in order with the names certainly set so far."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def read(self, node: ast.Node, defined: set[str]) -> None:
        """Every name in ``node`` is read."""
        for n in walk_body((node,)):
            name = n.id if isinstance(n, ast.Name) else asked_variable(n)
            if name and name not in defined:
                self.found.add(name)
            elif isinstance(n, Copies):
                self.found |= {source for _, source in n.pairs} - defined

    def block(self, body: tuple[ast.Statement, ...], defined: set[str]) -> set[str]:
        """Names certainly set after ``body``."""
        for statement in body:
            defined = self._statement(statement, defined)
        return defined

    def _statement(self, node: ast.Statement, defined: set[str]) -> set[str]:
        match node:
            case ast.Assign() if isinstance(node.target, ast.Name):
                self.read(node.value, defined)
                return defined | {node.target.id}
            case ast.If():
                return self._if(node, defined)
            case ast.For():
                return self._for(node, defined)
            case ast.While():
                self.read(node.condition, defined)
                self.block(node.body, set(defined))
                return defined
            case ast.Switch():
                return self._switch(node, defined)
            case ast.MultiAssign():
                return self._defined_by_outputs(node, defined)
            case ast.Try():
                self.block(node.body, set(defined))
                return defined
            case Inlined():
                after = self.block(node.body, set(defined))
                return defined if _returns(node) else after
            case Copies():
                self.found |= {source for _, source in node.pairs} - defined
                return defined | {target for target, _ in node.pairs}
            case _:
                self.read(node, defined)
                gone = node.names if isinstance(node, Cleared) else cleared_variables(node)
                self.found |= set(gone) - defined
                return defined.difference(gone)

    def _defined_by_outputs(self, node: ast.MultiAssign, defined: set[str]) -> set[str]:
        self.read(node.value, defined)
        for target in node.targets:
            if not isinstance(target, ast.Name):
                self.read(target, defined)
        return defined | {t.id for t in node.targets if isinstance(t, ast.Name)}

    def _for(self, node: ast.For, defined: set[str]) -> set[str]:
        self.read(node.iterable, defined)
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        self.block(node.body, defined | {name})
        return defined - {name}

    def _if(self, node: ast.If, defined: set[str]) -> set[str]:
        ends = []
        for branch in node.branches:
            self.read(branch.condition, defined)
            ends.append(self._branch(branch.body, defined))
        ends.append(self._branch(node.orelse or (), defined))
        return _common(ends, defined)

    def _switch(self, node: ast.Switch, defined: set[str]) -> set[str]:
        self.read(node.subject, defined)
        ends = []
        for case in node.cases:
            self.read(case.value, defined)
            ends.append(self._branch(case.body, defined))
        ends.append(self._branch(node.otherwise or (), defined))
        return _common(ends, defined)

    def _branch(self, body: tuple[ast.Statement, ...], defined: set[str]) -> set[str] | None:
        """What is set at the end of a branch; None when it does not get there."""
        after = self.block(body, set(defined))
        left = body and isinstance(body[-1], ast.Break | ast.Continue | ast.Return)
        return None if left else after


def _returns(node: Inlined) -> bool:
    """Whether the end of a function may be reached from its middle."""
    return any(isinstance(n, ast.Return) for n in walk_body((node,)))


def _common(ends: list[set[str] | None], defined: set[str]) -> set[str]:
    kept = [e for e in ends if e is not None]
    return set.intersection(*kept) if kept else defined
