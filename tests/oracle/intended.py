"""Where MATLAB's documented rule differs from Octave: statements of random programs.

A rule looks at one statement, at the variables before it, and at what came out here, so that it
explains that difference and no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Variable:
    """The class, size and elements of a variable, as printed."""

    kind: str
    size: tuple[int, ...]
    content: str


State: TypeAlias = dict[str, Variable]
_CALL = re.compile(r"(\w+)\((?:@numel, |'isempty', |2, )?(\w)(?:, [^()]*)?\)")
_TARGET = re.compile(r"(\w)([({])(.*?)[)}] = (.*);$")
_TEXT = "text functions take text only"
_CUMULATE = "text counts as its codes"
_LOGICAL = "complex numbers have no truth value"


@dataclass(frozen=True)
class Step:
    """A statement, the variables before it, and those after it here and in Octave.

    An outcome is None when the statement failed.
    """

    statement: str
    before: State
    here: State | None
    octave: State | None

    @cached_property
    def target(self) -> tuple[str, str, str, str]:
        """Name, bracket, subscripts and right side of an indexed assignment, or empty texts."""
        match = _TARGET.match(self.statement)
        return (match[1], match[2], match[3], match[4]) if match else ("", "", "", "")

    @cached_property
    def old(self) -> Variable:
        """The variable that is assigned to, before."""
        return self.before.get(self.statement[:1], _NOTHING)

    @cached_property
    def new(self) -> Variable:
        """The variable that is assigned to, after; nothing when the statement failed."""
        return (self.here or {}).get(self.statement[:1], _NOTHING)

    @cached_property
    def names(self) -> list[Variable]:
        """The variables on the right side."""
        right = self.statement.partition(" = ")[2]
        return [self.before[n] for n in re.findall(r"\b[abc]\b", right)]

    @cached_property
    def call(self) -> tuple[str, Variable]:
        """The function that is called last and its argument."""
        found = _CALL.findall(self.statement)
        name, argument = found[-1] if found else ("", "")
        return name, self.before.get(argument, _NOTHING)

    @cached_property
    def selected(self) -> list[tuple[list[int], int]]:
        """What every subscript selects, from 1, and the extent it selects from."""
        if not self.target[0]:
            return []
        texts = _split(self.target[2])
        size = self.old.size
        if len(texts) == 1:
            extents = [prod(size)]
        else:
            rest = prod(size[len(texts) - 1 :])
            extents = [*size[: len(texts) - 1], *[1] * (len(texts) - 1 - len(size)), rest]
        return [(_selection(t, n), n) for t, n in zip(texts, extents, strict=True)]

    @property
    def deletes(self) -> bool:
        """True for ``x(…) = []``."""
        return self.target[1] == "(" and self.target[3] in {"[]", "''"}

    @property
    def assigns(self) -> bool:
        """True for ``x(…) = value``."""
        return self.target[1] == "(" and self.target[3] not in {"[]", "''"}


_NOTHING = Variable("", (), "")


def _split(text: str) -> list[str]:
    return re.sub(r"\([^()]*\)", lambda m: m[0].replace(",", "\0"), text).split(", ")


def _selection(text: str, extent: int) -> list[int]:
    """The indices a subscript of ``tests.oracle.programs`` stands for."""
    known = {
        ":": range(1, extent + 1),
        "end": [extent],
        "end-1": [extent - 1],
        "end+1": [extent + 1],
        "[1 1]": [1, 1],
        "[]": [],
        "2:3": [2, 3],
        "[2 1]": [2, 1],
        "end:-1:1": range(extent, 0, -1),
        "true": [1],
        "logical([1 0 1])": [1, 3],
        "[1;2]": [1, 2],
        "1:2:4": [1, 3],
        "1.5": [0],
    }
    return list(known.get(text) or ([] if text in known else [int(text)]))


def _covers(selected: list[int], extent: int) -> bool:
    return set(selected) == set(range(1, extent + 1))


def _empty_becomes_cell(s: Step) -> bool:
    plain = s.assigns and s.old.kind == "double" and s.old.size == (0, 0)
    return plain and s.target[3].startswith("{") and s.new.kind == "cell" and s.octave is None


def _cell_takes_cells(s: Step) -> bool:
    return s.assigns and s.old.kind == "cell" and s.here is None


def _nothing_assigned(s: Step) -> bool:
    empty = any(not chosen for chosen, _ in s.selected)
    from_nothing = s.old.kind == "double" and s.old.size == s.new.size == (0, 0)
    return s.assigns and empty and (s.new == s.old or from_nothing)


def _nothing_assigned_by_many(s: Step) -> bool:
    empty = any(not chosen for chosen, _ in s.selected)
    return s.assigns and empty and s.here is None


def _deleted_out_of_range(s: Step) -> bool:
    outside = any(max(chosen, default=0) > extent for chosen, extent in s.selected)
    return s.deletes and s.here is None and outside


def _deleted_nothing(s: Step) -> bool:
    return s.deletes and any(not chosen for chosen, _ in s.selected) and s.new == s.old


def _deleted_by_two(s: Step) -> bool:
    partial = [k for k in s.selected if not _covers(*k)]
    return s.deletes and len(partial) > 1 and s.here is None


def _deleted_covering(s: Step) -> bool:
    partial = [k for k in s.selected if not _covers(*k)]
    return s.deletes and len(s.selected) > 1 and len(partial) <= 1 and s.here is not None


def _deleted_by_one(s: Step) -> bool:
    if not s.deletes or len(s.selected) != 1:
        return False
    return s.new.size == (1, len(set(range(1, prod(s.old.size) + 1)) - set(s.selected[0][0])))


def _text_stays_text(s: Step) -> bool:
    return s.assigns and s.old.kind == "char" and s.new.kind == "char"


def _text_takes_no_complex(s: Step) -> bool:
    joined = re.search(r"\[\w 'x'\]", s.statement) and any("i" in v.content for v in s.names)
    stored = s.assigns and s.old.kind == "char" and bool(re.search(r"\di", s.target[3]))
    return s.here is None and bool(joined or stored)


def _braces_on_text(s: Step) -> bool:
    return s.target[1] == "{" and s.old.kind == "char" and s.here is None


def _words(s: Step) -> bool:
    name, argument = s.call
    known = {"upper", "lower", "strtrim", "strrep", "regexprep", "strsplit"}
    same = s.here is None or s.new == argument
    rows = argument.kind == "char" and argument.size[:1] != (1,)
    unfit = (
        rows or argument.kind not in {"char", "cell"} or re.search(r"{(?!char)", argument.content)
    )
    return name in known and bool(unfit) and same


def _codes(s: Step) -> bool:
    counts = (
        re.search(r"(?:cumprod|cumsum|dot|cross|kron|mean|median|mod|mode|rem|sign)\(", s.statement)
        is not None
    )
    return counts and s.octave is None and all(v.kind in {"char", "logical"} for v in s.names[:1])


def _truth_is_stored(s: Step) -> bool:
    unfit = "NaN" in s.target[3] or "i" in s.target[3] or any("i" in v.content for v in s.names)
    return s.assigns and s.old.kind == "logical" and s.here is None and unfit


def _truth(s: Step) -> bool:
    joined = re.search(r" [&|] |= ~", s.statement) is not None
    return joined and s.here is None and any("i" in t for t in _contents(s))


def _contents(s: Step) -> list[str]:
    return [v.content for v in s.names] + [s.statement.partition(" = ")[2]]


def _cells_reduced(s: Step) -> bool:
    return s.call[0] in {"any", "all"} and s.call[1].kind == "cell" and s.here is None


def _compared(s: Step) -> bool:
    return bool(re.search(r" (?:<|>=) ", s.statement)) and any("i" in t for t in _contents(s))


def _power_overflow(s: Step) -> bool:
    there = (s.octave or {}).get(s.statement[:1], _NOTHING)
    far = all(re.search("Inf|NaN", t.content) for t in (s.new, there))
    return ".^" in s.statement and far and s.new.content.count("NaN") < there.content.count("NaN")


def _infinite_power(s: Step) -> bool:
    infinite = any("Inf" in v.content for v in s.names) or "Inf" in s.statement
    return " .^ " in s.statement and infinite and s.here is not None and "i" not in s.new.content


def _rounding(s: Step) -> bool:
    there = (s.octave or {}).get(s.statement[:1], _NOTHING)
    if (
        ".^" not in s.statement
        or s.new.kind not in {"double", "single"}
        or s.new.kind != there.kind
    ):
        return False
    left, right = (
        [complex(t.replace("+-", "-").replace("i", "j")) for t in v.content.split()]
        for v in (s.new, there)
    )
    return (
        "i" in s.new.content
        and len(left) == len(right)
        and all(abs(x - y) <= 1e-12 * abs(x) for x, y in zip(left, right, strict=True))
    )


def _products(s: Step) -> bool:
    infinite = any("i" in v.content and re.search("Inf|NaN", v.content) for v in s.names)
    multiplies = re.search(r" \.?[*^] |(?:cross|dot|kron|prod)\(", s.statement) is not None
    there = (s.octave or {}).get(s.statement[:1], _NOTHING).content.split(" ")
    ours = s.new.content.split(" ")
    return (
        infinite
        and multiplies
        and len(ours) == len(there)
        and all("NaN" in x for x, y in zip(ours, there, strict=True) if x != y)
    )


def _pages_of_nothing(s: Step) -> bool:
    match = re.search(r"cat\(3, (\w), \1\)", s.statement)
    return match is not None and s.before[match[1]].size == (0, 0)


def _wide_codes(s: Step) -> bool:
    joined = re.search(r"\[\w 'x'\]", s.statement) is not None
    unfit = any(re.search(r"-|\d{3}|Inf|NaN", v.content) for v in s.names)
    return joined and s.new.kind == "char" and unfit


def _integers_with_arrays(s: Step) -> bool:
    kinds = [v.kind for v in s.names]
    computes = re.search(r" (?:\.?[\^*/]|[-+]) ", s.statement) is not None
    return computes and s.here is None and any("int" in k for k in kinds)


def _integers_take_no_complex(s: Step) -> bool:
    number = s.target[3].endswith("i") or any("i" in v.content for v in s.names)
    return s.assigns and "int" in s.old.kind and s.here is None and number


def _kron_of_pages(s: Step) -> bool:
    return s.call[0] == "kron" and len(s.call[1].size) > 2 and s.here is None


def _unique_row(s: Step) -> bool:
    return s.call[0] == "unique" and s.call[1].size == s.new.size == (1, 0)


def _median_of_truth(s: Step) -> bool:
    old = (s.octave or {}).get(s.statement[:1], _NOTHING)
    same = s.new.kind == "double" and s.new.content == old.content
    return s.call[0] == "median" and s.call[1].kind == "logical" and same


def _find_in_nothing(s: Step) -> bool:
    nothing = prod(s.call[1].size) == 0 and prod(s.new.size) == 0
    return s.call[0] == "find" and nothing and s.new.size in {(0, 0), (0, 1)}


def _class_from_nothing(s: Step) -> bool:
    there = (s.octave or {}).get(s.statement[:1], _NOTHING)
    same = (s.new.size, s.new.content) == (there.size, there.content)
    return s.assigns and s.old.kind == "double" and s.old.size == (0, 0) and same


def _product_of_pages(s: Step) -> bool:
    return " * " in s.statement and s.here is None and any(len(v.size) > 2 for v in s.names)


def _diagonal_of_nothing(s: Step) -> bool:
    return s.call[0] == "diag" and s.call[1].size == s.new.size == (0, 0)


def _cumulated_integers(s: Step) -> bool:
    cumulates = s.call[0] in {"cumsum", "cumprod", "sum", "prod"}
    return cumulates and s.new.kind == s.call[1].kind and "int" in s.new.kind


def _mode_of_nothing(s: Step) -> bool:
    known = s.call[0] in {"mean", "mode", "median"}
    return known and prod(s.call[1].size) == 0 and not s.new.content.replace("NaN", "").strip()


def _diff_of_nothing(s: Step) -> bool:
    size = s.call[1].size
    axis = next((k for k, n in enumerate(size) if n != 1), 0)
    less = (*size[:axis], max(size[axis] - 1, 0), *size[axis + 1 :]) if size else ()
    number = s.new.kind == ("double" if s.call[1].kind in {"logical", "char"} else s.call[1].kind)
    return s.call[0] == "diff" and number and s.new.size == (less if prod(size) != 1 else (0, 0))


def _histogram(s: Step) -> bool:
    scalar = prod(s.call[1].size) == 1 and s.new.size == (1, 3)
    return s.call[0] == "histc" and (scalar or (s.call[1].kind == "char" and s.here is None))


def _extremes_of_no_truths(s: Step) -> bool:
    argument = s.call[1]
    if s.call[0] not in {"min", "max"} or argument.kind != "logical" or prod(argument.size):
        return False
    axis = next((k for k, n in enumerate(argument.size) if n != 1), 0)
    kept = (*argument.size[:axis], min(argument.size[axis], 1), *argument.size[axis + 1 :])
    return s.new.size == kept


def _histogram_of_pages(s: Step) -> bool:
    size = s.call[1].size
    axis = next((k for k, n in enumerate(size) if n != 1), 0)
    along = (*size[:axis], 3, *size[axis + 1 :])
    counted = s.call[0] == "histc" and len(size) > 2 and s.new.size == along
    return counted and s.octave is None


def _histogram_of_nothing(s: Step) -> bool:
    size = s.call[1].size
    axis = next((k for k, n in enumerate(size) if n != 1), 0)
    along = (*size[:axis], 3, *size[axis + 1 :])
    zeros = not s.new.content.replace("0", "").strip()
    shaped = s.new.size == along or size == (0, 0)
    return s.call[0] == "histc" and prod(size) == 0 and shaped and zeros


RULES: tuple[tuple[Callable[[Step], bool], str], ...] = (
    (_empty_becomes_cell, "[] becomes a cell when cells are assigned into it"),
    (_cell_takes_cells, "cells take only cells by parentheses"),
    (_nothing_assigned, "an assignment to no elements changes nothing, the size included"),
    (_nothing_assigned_by_many, "both sides of an assignment have as many elements"),
    (_deleted_out_of_range, "a subscript out of range is an error even when nothing is deleted"),
    (_deleted_nothing, "a deletion of no elements changes nothing"),
    (_deleted_by_two, "a deletion has one subscript that is no colon"),
    (_deleted_covering, "a subscript that covers its dimension counts as a colon"),
    (_deleted_by_one, "what one subscript leaves of a matrix is a row"),
    (_text_takes_no_complex, "complex numbers are no characters"),
    (_text_stays_text, "what is stored in text becomes characters, of 16 bits"),
    (_braces_on_text, "braces store in an empty array of numbers, never in text"),
    (_words, _TEXT),
    (_codes, _CUMULATE),
    (_truth, _LOGICAL),
    (_truth_is_stored, "complex numbers and NaN have no truth value"),
    (_cells_reduced, "any and all take numbers"),
    (_compared, "relational operators compare real parts"),
    (_rounding, "complex powers are rounded once"),
    (_infinite_power, "an infinite exponent is a whole number"),
    (_products, "products of complex numbers are those of their parts"),
    (_power_overflow, "complex powers are computed by magnitude and angle"),
    (_pages_of_nothing, "[] is left out of every concatenation"),
    (_mode_of_nothing, "the mean, mode and median of nothing are NaN"),
    (_median_of_truth, "truth values are numbers to statistics"),
    (_find_in_nothing, "what is found in [] is []"),
    (_class_from_nothing, "[] takes the class of what is stored in it"),
    (_product_of_pages, "matrix products take matrices"),
    (_diagonal_of_nothing, "the diagonal of [] is []"),
    (_cumulated_integers, "sums of integers are integers"),
    (_wide_codes, "codes have 16 bits; a negative one becomes the null character"),
    (_integers_with_arrays, "integers compute with scalars of class double only"),
    (_integers_take_no_complex, "there are no complex integers"),
    (_kron_of_pages, "kron takes matrices"),
    (_unique_row, "the unique elements of a row are a row"),
    (_diff_of_nothing, "diff takes one element off its dimension and truth values are numbers"),
    (_histogram_of_nothing, "the counts of no elements are zero"),
    (_extremes_of_no_truths, "extremes go along the first dimension that is not one, always"),
    (_histogram_of_pages, "histc counts along the first dimension that is not one, pages too"),
    (_histogram, "the counts of a scalar are a row when the edges are, and text is not counted"),
)
"""Each of MATLAB's rules with the question whether a step follows it."""


def rule_of(step: Step) -> str:
    """MATLAB's rule that a step follows, or empty."""
    return next((text for follows, text in RULES if follows(step)), "")
