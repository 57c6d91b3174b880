"""The variables of compiled code: stack slots that hold a scalar or the facts of an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.engine.jit.builder import Builder, Refused, Unknown, Val
from app.engine.jit.complexes import as_complex, normal
from app.engine.jit.jit_types import (
    BOOL,
    C128,
    DOUBLE,
    F64,
    SCALARS,
    Kind,
    Type,
    as_array_type,
    common_type,
    complex_array_type,
)
from app.source import Span

UNSET, SET, EMPTY_ROW, CLEARED = 0, 1, 2, 3
"""The flag of a variable: as it was at entry, has a value, is the counter of no pass, has none."""

BORROWED, OURS = 0, 1
"""Who frees the elements of an array: who lent them, or compiled code."""

FIELDS = (("p", "ptr"), ("n", "i64"), ("r", "i64"), ("c", "i64"), ("m", "i64"), ("o", "i64"))
"""Of an array: elements, their number, rows, columns, room, owner."""


def _type_after(old: Type | None, new: Type, name: str, span: Span) -> Type:
    """The type of a variable that was ``old`` and is assigned ``new``."""
    made = new if old is None else common_type(old, new)
    if old is not None and made is None:
        before = old.kind.name if old.kind else "another class"
        after = new.kind.name if new.kind else "another class"
        raise Refused(f"'{name}' changes from {before} to {after}", span)
    assert made is not None
    return made


class Variables:
    """Reads and writes of variables.

    Attributes:
        env: the types met so far.
        array_names: names that are indexed somewhere, so that even one element is an array.
        defined: names that certainly have a value here.
        wholes: counters that nothing else assigns: slots with their number as an integer.
        columns: arrays of elements of containers, with how many may be added at once.
        meant: those that are cleared, or of which is asked whether they have a value: no text
            says that they certainly do.
        unmet: those that had no type yet when that was asked.
        changed: True when a type changed, so that the code has to be made again.
    """

    def __init__(
        self, out: Builder, env: dict[str, Type], array_names: frozenset[str], defined: set[str]
    ) -> None:
        self.out = out
        self.env = env
        self.array_names = array_names
        self.defined = defined
        self.wholes: dict[str, str] = {}
        self.changed = False
        self.columns: Mapping[str, int] = {}
        self.meant: frozenset[str] = frozenset()
        self.unmet: set[str] = set()

    def type_of(self, name: str, span: Span) -> Type:
        """The type of a variable that is read."""
        found = self.env.get(name)
        if found is None:
            raise Unknown(f"'{name}' has no value yet", span)
        if found.kind is None:
            raise Refused(f"'{name}' is of a class that is not compiled", span)
        return found

    def note(self, name: str, made: Type, span: Span) -> Type:
        """A value of type ``made`` is assigned; gives the variable's type."""
        if name in self.array_names:
            made = as_array_type(made)
        old = self.env.get(name)
        if old is not None and old.kind is C128 and old.array and made.kind is F64:
            made = complex_array_type(made)
        new = _type_after(old, made, name, span)
        if new != old:
            self.changed = self.changed or old is not None or name in self.unmet
            self.env[name] = new
        return new

    def widen(self, name: str, found: Type) -> None:
        """An array of doubles holds complex numbers from now on."""
        wider = complex_array_type(found)
        if wider is not found:
            self.changed = True
            self.env[name] = wider

    def check_set(self, name: str) -> None:
        """Leave when the variable has no value here."""
        if name not in self.defined:
            flag = self.out.load(f"%f.{name}", "i64")
            self.out.require(self.out.op(f"icmp eq i64 {flag}, {SET}"))

    def set_flag(self, name: str, flag: int = SET) -> None:
        """Note whether the variable has a value."""
        self.out.store(f"%f.{name}", "i64", str(flag))
        if flag == SET and name not in self.meant:
            self.defined.add(name)
        else:
            self.defined.discard(name)

    def clear(self, name: str, span: Span) -> None:
        """The variable has no value any more."""
        if self.type_of(name, span).array:
            self.free_ours(name)
            for which, memory in FIELDS:
                self.set_part(name, which, "null" if memory == "ptr" else "0")
        self.set_flag(name, CLEARED)

    def exists(self, name: str, span: Span) -> Val:
        """1 where the variable has a value, 0 where it has none."""
        if name not in self.meant:
            raise Refused(f"'exist' of '{name}'", span)
        if name not in self.env:
            self.unmet.add(name)
            return Val(DOUBLE, "0.0")
        self.type_of(name, span)
        flag = self.out.load(f"%f.{name}", "i64")
        known = [self.out.op(f"icmp eq i64 {flag}, {v}") for v in (SET, EMPTY_ROW)]
        return Val(
            DOUBLE,
            self.out.op(f"uitofp i1 {self.out.op(f'or i1 {known[0]}, {known[1]}')} to double"),
        )

    # --- scalars ---

    def read(self, name: str, span: Span) -> Val:
        """The value of a variable where a scalar is wanted."""
        kind = self.type_of(name, span)
        self.check_set(name)
        assert kind.kind is not None
        if kind.array:
            count = self.part(name, "n")
            self.out.require(self.out.op(f"icmp eq i64 {count}, 1"))
            return normal(self.out, self.element(self.part(name, "p"), "0", kind.kind))
        text = self.out.load(f"%v.{name}", kind.kind.llvm)
        whole = self.wholes.get(name, "")
        if whole:
            return Val(kind, text, self.out.load(whole, "i64"), 53)
        return Val(kind, text)

    def write(self, name: str, v: Val, span: Span) -> None:
        """``name = scalar``."""
        kind = self.note(name, v.type, span)
        assert kind.kind is not None
        if kind.kind is C128:
            v = as_complex(self.out, v)
        if kind.array:
            self.make_room(name, kind.kind, "1", "1", "1")
            self.put_element(self.part(name, "p"), "0", v)
        else:
            self.out.store(f"%v.{name}", kind.kind.llvm, v.text)
        self.set_flag(name)

    # --- arrays ---

    def part(self, name: str, which: str) -> str:
        """One fact of an array of two dimensions; those of others are `extents`."""
        if which in {"r", "c"} and self.has_pages(name):
            raise Refused(f"'{name}' of three dimensions in this form")
        return self.fact(name, which)

    def has_pages(self, name: str) -> bool:
        """Whether an array may have three dimensions."""
        return name in self.env and self.env[name].form == "pages"

    def extents(self, name: str) -> tuple[str, str, str]:
        """Rows, columns and pages of an array; leaves where an empty one does not tell them."""
        rows, columns = self.fact(name, "r"), self.fact(name, "c")
        if not self.has_pages(name):
            return rows, columns, "1"
        return rows, columns, self.pages(self.fact(name, "n"), rows, columns)

    def dimensions(self, name: str) -> tuple[str, ...]:
        """The extents of an array of any number of dimensions, at least two; leaves likewise."""
        rows, columns = self.fact(name, "r"), self.fact(name, "c")
        if not self.has_pages(name):
            return rows, columns
        inner = tuple(map(str, self.env[name].inner))
        return rows, columns, *inner, self.pages(self.fact(name, "n"), rows, columns, *inner)

    def pages(self, count: str, *extents: str) -> str:
        """How many pages of such extents so many elements make."""
        size = self.out.product(*extents)
        self.out.require(self.out.op(f"icmp ne i64 {size}, 0"))
        return self.out.op(f"udiv i64 {count}, {size}")

    def fact(self, name: str, which: str) -> str:
        """One fact of an array of any number of dimensions."""
        form = self.env[name].form if name in self.env else ""
        if (form, which) in {("row", "r"), ("column", "c")}:
            return "1"
        return self.out.load(f"%{which}.{name}", "ptr" if which == "p" else "i64")

    def set_part(self, name: str, which: str, value: str) -> None:
        """Change one fact of an array."""
        self.out.store(f"%{which}.{name}", "ptr" if which == "p" else "i64", value)

    def load_facts(self, name: str, block: str) -> None:
        """Hold the array whose facts lie at ``block``."""
        for k, (which, memory) in enumerate(FIELDS):
            place = self.out.op(f"getelementptr i64, ptr {block}, i64 {k}")
            self.out.store(f"%{which}.{name}", memory, self.out.op(f"load {memory}, ptr {place}"))

    def store_facts(self, block: str, facts: Iterable[str]) -> None:
        """Put the facts of an array, in the order of `FIELDS`, at ``block``."""
        for k, ((_, memory), text) in enumerate(zip(FIELDS, facts, strict=True)):
            place = self.out.op(f"getelementptr i64, ptr {block}, i64 {k}")
            self.out.emit(f"store {memory} {text}, ptr {place}")

    def element(self, data: str, position: str, kind: Kind) -> Val:
        """The element at a 0-based position."""
        place = self.out.op(f"getelementptr inbounds {kind.memory}, ptr {data}, i64 {position}")
        text = self.out.op(f"load {kind.memory}, ptr {place}")
        if kind is BOOL:
            text = self.out.op(f"trunc i8 {text} to i1")
        return Val(SCALARS[kind.name], text)

    def put_element(self, data: str, position: str, v: Val) -> None:
        """Write the element at a 0-based position."""
        kind = v.type.kind
        assert kind is not None
        text = v.text
        if kind is BOOL:
            text = self.out.op(f"zext i1 {text} to i8")
        place = self.out.op(f"getelementptr inbounds {kind.memory}, ptr {data}, i64 {position}")
        self.out.emit(f"store {kind.memory} {text}, ptr {place}")

    def make_room(self, name: str, kind: Kind, count: str, rows: str, columns: str) -> None:
        """Give an array a new shape; its elements are whatever was there."""
        self.reserve(name, kind, count, keep=False)
        for which, value in (("n", count), ("r", rows), ("c", columns)):
            self.set_part(name, which, value)

    def reserve(self, name: str, kind: Kind, count: str, keep: bool) -> None:
        """Room for ``count`` elements; ``keep`` moves the present ones along."""
        room = self.part(name, "m")
        enough, more, done = (self.out.label(h) for h in ("room", "grow", "ready"))
        self.out.branch(self.out.op(f"icmp sle i64 {count}, {room}"), enough, more, likely=True)
        self.out.start(more)
        kept = self.part(name, "n") if keep else "0"
        self._move(name, kept, count, kind.size)
        self.out.jump(done)
        self.out.start(enough)
        self.out.start(done)

    def own_borrowed(self, name: str, size: int) -> None:
        """Put the elements into memory of our own, unless they are there."""
        copy, done = self.out.label("copy"), self.out.label("ours")
        self.out.branch(self.out.op(f"icmp eq i64 {self.part(name, 'o')}, 0"), copy, done)
        self.out.start(copy)
        count = self.part(name, "n")
        self._move(name, count, count, size)
        self.out.jump(done)
        self.out.start(done)

    def _move(self, name: str, kept: str, count: str, size: int) -> None:
        """Move the first ``kept`` elements into memory of our own for ``count``."""
        made = self.out.call(
            "ptr",
            "fuselab_grow",
            ("ptr", self.part(name, "p")),
            ("i64", self.part(name, "o")),
            ("i64", kept),
            ("i64", count),
            ("i64", str(size)),
        )
        self.out.require(self.out.op(f"icmp ne ptr {made}, null"))
        self.set_part(name, "p", made)
        self.set_part(name, "o", str(OURS))
        self.set_part(name, "m", self.out.call("i64", "fuselab_room", ("i64", count)))

    def free_ours(self, name: str) -> None:
        """Give back the elements unless they are borrowed."""
        drop, kept = self.out.label("drop"), self.out.label("kept")
        self.out.branch(self.out.op(f"icmp ne i64 {self.part(name, 'o')}, 0"), drop, kept)
        self.out.start(drop)
        self.out.call("void", "free", ("ptr", self.part(name, "p")))
        self.out.jump(kept)
        self.out.start(kept)
