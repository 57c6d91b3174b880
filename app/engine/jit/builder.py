"""LLVM assembly, line by line: registers, labels, stack slots, and what was not understood."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING

from app.engine.jit.jit_types import DOUBLE, LOGICAL, Type
from app.records import mutable_record, record

if TYPE_CHECKING:
    from app.source import Span

EXACT = 53
"""Bits of a whole number that a double holds exactly."""
TOO_DEEP = "an expression is nested too deeply"
"""Why what the walks through a tree cannot reach the end of is refused."""


class Refused(Exception):
    """A part of the program that cannot be compiled.

    Attributes:
        reason: what and why, for the user.
        span: where.
    """

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


class Unknown(Refused):
    """The type of a variable that no pass of inference has met yet."""


@record
class Val:
    """A scalar in a register.

    Attributes:
        type: its type.
        text: the operand.
        whole: the same number as an ``i64`` operand, where it is certainly whole; else empty.
        bits: how many bits the magnitude of ``whole`` may have.
        const: its value when it is a literal.
    """

    type: Type
    text: str
    whole: str = ""
    bits: int = 0
    const: float | None = None


def hexadecimal(x: float) -> str:
    """A double as LLVM writes it exactly."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', x))[0]:016X}"


def number(x: float) -> Val:
    """A literal."""
    if x.is_integer() and abs(x) < 2.0**52 and (x or str(x)[0] != "-"):
        return Val(DOUBLE, hexadecimal(x), str(int(x)), max(1, int(abs(x)).bit_length()), x)
    return Val(DOUBLE, hexadecimal(x), const=x)


TRUE, FALSE = Val(LOGICAL, "true"), Val(LOGICAL, "false")


@mutable_record
class Builder:
    """The text of one function.

    Attributes:
        lines: the body so far.
        slots: stack slots by name, with their types.
        open: False after a jump until the next label: what follows cannot be reached.
        declared: signatures of the functions that are called.
        exit: gives the label that leaves before the current statement.
        positions: row and column of places that are known, by place and number of rows.
        asked: whether one of them was looked for.
    """

    exit: Callable[[], str]
    lines: list[str] = field(default_factory=list)
    slots: dict[str, str] = field(default_factory=dict)
    open: bool = True
    declared: dict[str, str] = field(default_factory=dict)
    positions: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    asked: bool = False
    count: int = 0

    def emit(self, text: str) -> None:
        """One instruction, unless it cannot be reached."""
        if self.open:
            self.lines.append(f"  {text}")

    def op(self, text: str) -> str:
        """An instruction with a result; gives its register."""
        self.count += 1
        name = f"%t{self.count}"
        self.emit(f"{name} = {text}")
        return name

    def product(self, *extents: str) -> str:
        """How many elements so many rows, columns … make."""
        made = "1"
        for extent in extents:
            if extent != "1":
                made = extent if made == "1" else self.op(f"mul i64 {made}, {extent}")
        return made

    def label(self, hint: str) -> str:
        """A fresh label."""
        self.count += 1
        return f"{hint}{self.count}"

    def start(self, label: str) -> None:
        """Go on at ``label``; control may fall into it."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.open = True

    def jump(self, label: str) -> None:
        """Go to ``label``."""
        self.emit(f"br label %{label}")
        self.open = False

    def branch(self, test: str, then: str, other: str, likely: bool = False) -> None:
        """Go to one of two labels."""
        weights = ", !prof !0" if likely else ""
        self.emit(f"br i1 {test}, label %{then}, label %{other}{weights}")
        self.open = False

    def require(self, test: str) -> None:
        """Go on when ``test`` holds, else leave."""
        otherwise = self.exit()
        onward = self.label("ok")
        self.branch(test, onward, otherwise, likely=True)
        if self.lines and self.lines[-1].startswith("  br i1"):
            self.start(onward)

    # --- stack slots ---

    def slot(self, name: str, kind: str) -> str:
        """A stack slot; LLVM makes registers of them."""
        self.slots.setdefault(name, kind)
        return name

    def load(self, name: str, kind: str) -> str:
        """Read a slot."""
        return self.op(f"load {kind}, ptr {self.slot(name, kind)}")

    def store(self, name: str, kind: str, value: str) -> None:
        """Write a slot."""
        self.emit(f"store {kind} {value}, ptr {self.slot(name, kind)}")

    # --- calls ---

    def call(self, result: str, name: str, *args: tuple[str, str]) -> str:
        """Call a function of the C library, an intrinsic or a helper."""
        kinds = ", ".join(k for k, _ in args)
        self.declared.setdefault(name, f"declare {result} @{name}({kinds})")
        given = ", ".join(f"{k} {v}" for k, v in args)
        if result == "void":
            self.emit(f"call void @{name}({given})")
            return ""
        return self.op(f"call {result} @{name}({given})")

    def choose(self, test: str, kind: str, then: str, other: str) -> str:
        """``then if test else other`` of evaluated operands."""
        return self.op(f"select i1 {test}, {kind} {then}, {kind} {other}")

    def mark(self) -> tuple[int, bool]:
        """A place to go back to."""
        return len(self.lines), self.open

    def undo(self, mark: tuple[int, bool]) -> None:
        """Forget what was written since ``mark``."""
        del self.lines[mark[0] :]
        self.open = mark[1]


def with_type(val: Val, kind: Type) -> Val:
    """The same register seen as another type."""
    return replace(val, type=kind)
