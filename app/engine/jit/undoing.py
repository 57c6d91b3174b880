"""What a statement assigns bit by bit, such as what functions in the place of their calls do, and
how it takes it back.

A statement that is left has changed nothing. Single numbers are kept before it begins; of an array
an element is, when it is written, together with the size that the array had.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import root_name
from app.engine.jit.builder import Refused
from app.engine.jit.trees import Inlined
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.records import mutable_record

if TYPE_CHECKING:
    from app.engine.jit.builder import Builder
    from app.engine.jit.jit_types import Kind
    from app.engine.jit.variables import Variables
    from app.source import Span

_SIZES = "nrc"
WRITTEN = "%w-"
"""Slots that say whether an element was written begin so."""


@mutable_record
class Undo:
    """What is put back where a statement is left.

    Attributes:
        numbers: variables with a copy of their value: its slot and the slot's type.
        names: all variables that functions in the statement assign.
        elements: arrays with the place of a written element, and its class.
        repeats: whether a written element may be followed by another one of the same place in the
            text, so that keeping one is not enough.
    """

    numbers: list[tuple[str, str]] = field(default_factory=list)
    names: frozenset[str] = frozenset()
    elements: list[tuple[str, str, Kind]] = field(default_factory=list)
    repeats: bool = True

    def keep_numbers(self, variables: Variables, out: Builder, span: Span) -> bool:
        """Before the statement; False where a variable's type is not known yet."""
        known = True
        for name in sorted(self.names):
            found = variables.env.get(name)
            if found is None:
                known = False
            elif not found.array:
                if found.kind is None:
                    raise Refused(f"'{name}' is of a class that is not compiled", span)
                self.numbers += [(f"%v.{name}", found.kind.llvm), (f"%f.{name}", "i64")]
        for slot, kind in self.numbers:
            out.store(f"%u.{slot[1:]}", kind, out.load(slot, kind))
        return known

    def keep_element(self, variables: Variables, out: Builder, name: str, place: str) -> None:
        """Before an element is written; the array may have grown for it."""
        if name not in self.names:
            return
        if self.repeats:
            raise Refused("a function changes elements of its caller's array again and again")
        kind = variables.env[name].kind
        assert kind is not None
        site = out.label("kept")
        data = variables.part(name, "p")
        at = out.op(f"getelementptr inbounds {kind.memory}, ptr {data}, i64 {place}")
        out.store(f"%e.{site}", kind.memory, out.op(f"load {kind.memory}, ptr {at}"))
        out.store(f"%p.{site}", "i64", place)
        out.store(f"{WRITTEN}{site}", "i64", "1")
        self.elements.append((site, name, kind))

    def keep_size(self, variables: Variables, out: Builder, name: str) -> None:
        """Before an array may grow."""
        if name in self.names:
            for which in _SIZES:
                slot = f"%{which}.{name}"
                out.store(f"%u{len(self.elements)}.{slot[1:]}", "i64", out.load(slot, "i64"))

    def refuse_whole(self, name: str, array: bool, span: Span) -> None:
        """Arrays that a function assigns as a whole are not put back."""
        if array and name in self.names:
            raise Refused("a function changes an array of its caller", span)

    def forget(self, out: Builder) -> None:
        """After the statement."""
        for site, _, _ in self.elements:
            out.store(f"{WRITTEN}{site}", "i64", "0")

    def put_back(self, variables: Variables, out: Builder) -> None:
        """Where the statement is left."""
        for count, (site, name, kind) in reversed(list(enumerate(self.elements))):
            written, onward = out.label("written"), out.label("onward")
            out.branch(out.op(f"icmp ne i64 {out.load(WRITTEN + site, 'i64')}, 0"), written, onward)
            out.start(written)
            data = variables.part(name, "p")
            place = out.load(f"%p.{site}", "i64")
            at = out.op(f"getelementptr inbounds {kind.memory}, ptr {data}, i64 {place}")
            out.emit(f"store {kind.memory} {out.load(f'%e.{site}', kind.memory)}, ptr {at}")
            for which in _SIZES:
                slot = f"%{which}.{name}"
                out.store(slot, "i64", out.load(f"%u{count}.{slot[1:]}", "i64"))
            out.start(onward)
        for slot, kind_of in self.numbers:
            out.store(slot, kind_of, out.load(f"%u.{slot[1:]}", kind_of))


def undo_of(node: ast.Node) -> Undo:
    """What functions in the place of their calls assign in a statement, not in blocks inside it."""
    parts: tuple[ast.Node, ...] = (node,)
    once = False
    match node:
        case ast.If():
            parts = tuple(b.condition for b in node.branches)
        case ast.While():
            parts = (node.condition,)
        case ast.For():
            parts = (node.iterable,)
        case ast.Switch():
            parts = (node.subject, *(c.value for c in node.cases))
        case ast.Try():
            parts = ()
        case _:
            once = True
    found = {e for n in walk_body(parts) if isinstance(n, Inlined) for e in n.effects}
    if isinstance(node, ast.MultiAssign):  # of several elements one may be written alone
        found |= {root_name(t) for t in node.targets if isinstance(t, ast.Index)}
    return Undo(names=frozenset(found), repeats=not once)
