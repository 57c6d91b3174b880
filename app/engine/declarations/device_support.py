"""How a builtin runs on the acceleration graph: one small record in its declaration.

A record's ``capture(args, nargout)`` gives the lazy result, or NotImplemented when these arguments
have to be computed on the host. ``reason`` is what ``fuselab functions`` shows for host-only ones.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from app.engine.declarations import host_reasons
from app.engine.values import Value
from app.records import record


@record
class HostOnly:
    """No device form. With ``lazy=True`` the builtin takes lazy arrays as they are (metadata).

    ``cards`` says that by itself it sends what is large to graphics cards, ``stays`` that whatever
    is on the device is left and computed there, by functions that are called or by nothing.
    """

    reason: str
    lazy: bool = False
    cards: bool = False
    stays: bool = False

    fuses = False

    def capture(self, args: tuple[Value, ...], nargout: int) -> Value:
        """Never captured."""
        return NotImplemented


HOST = HostOnly("a reason of its family")
"""The default: arguments are gathered and NumPy does the work; `reasons` says why."""

METADATA = HostOnly("needs only class and size", lazy=True)
"""For builtins that read class and size, never data."""

SESSION = HostOnly(host_reasons.SESSION, lazy=True)
"""For builtins that steer the session."""

NAMES = HostOnly("asks about names and classes, never about data", lazy=True)
"""For builtins that ask about names and classes."""

CONTAINER = HostOnly("stores or passes on values without computing", lazy=True)
"""For builtins that store or pass on values without reading them."""

PASSES_ON = HostOnly("gives full arrays as they are", lazy=True, stays=True)
"""For builtins that do something to sparse matrices alone."""

CALLS = HostOnly("calls a function with arrays where they are", lazy=True, stays=True)
"""For builtins that call functions with parts of containers."""

SELF = HostOnly("", lazy=True)
"""For builtins that make nodes by themselves, from arguments that are no arrays."""


@record
class Elementwise:
    """``op`` of the acceleration graph applied to every element, with implicit expansion.

    Classes, domain and arity are those of the op's record (`accel.ir.operations.spec.OpSpec`).
    """

    op: str

    fuses = True
    expands = True
    reason = ""

    def capture(self, args: tuple[Value, ...], nargout: int) -> Value:
        """Build the node."""
        from app.engine.capture.capture import elementwise

        return elementwise(self.op, args) if nargout < 2 else NotImplemented


@record
class Reduction:
    """A reduction ``op`` over one, several or all dimensions.

    Attributes:
        op: name of the accel op.
        result: ``sum`` (MATLAB's class rule of sum), ``same``, ``logical``, ``float``.
        dim_argument: position of the dimension argument.
    """

    op: str
    result: str = "sum"
    dim_argument: int = 1

    fuses = True
    reason = ""

    def capture(self, args: tuple[Value, ...], nargout: int) -> Value:
        """Build the node, unless the host has modest arrays and is done with them sooner."""
        from app.engine.capture.lazy_limits import gives_little, is_on_host
        from app.engine.capture.reduce_capture import reduction

        if gives_little(1, args) and all(map(is_on_host, args)):
            return NotImplemented
        return reduction(self, args, nargout)


@record
class Custom:
    """A device form built by a function ``(args, nargout) -> value | NotImplemented``.

    Attributes:
        function: builds the nodes.
        resident: whether it takes only data that are on the device, or are to go there.
        expands: whether two arguments are combined element by element, with implicit expansion.
    """

    function: Callable[[tuple[Value, ...], int], Any]
    resident: bool = False
    expands: bool = False

    fuses = True
    reason = ""

    def capture(self, args: tuple[Value, ...], nargout: int) -> Value:
        """Build the nodes."""
        return self.function(args, nargout)


@record
class Formula:
    """A device form composed of terms (``capture.terms``): element by element unless it says else.

    Attributes:
        build: gives the term, or a tuple of terms, for as many terms of one float class.
        outputs: the most outputs it has.
        logical: whether it takes logical arrays, as doubles.
    """

    build: Callable[..., Any]
    outputs: int = 1
    logical: bool = True

    fuses = True
    reason = ""

    def capture(self, args: tuple[Value, ...], nargout: int) -> Value:
        """Build the nodes."""
        from app.engine.capture import selections, terms

        if nargout < 2 and any(selections.are_pending(a) for a in args):
            return selections.mapped(lambda *given: self.capture(given, nargout), args)
        fits = nargout <= self.outputs and len(args) in _counts_of_arguments(self.build)
        found = terms.terms(args, self.logical) if fits else NotImplemented
        if found is NotImplemented:
            return found
        return terms.values(self.build(*found))


@cache
def _counts_of_arguments(build: Callable[..., object]) -> range:
    """How many arguments a formula takes; with others the host answers, or refuses."""
    parameters = inspect.signature(build).parameters.values()
    plain = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    most = sys.maxsize - 1 if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(plain)
    return range(sum(p.default is p.empty for p in plain), most + 1)


def term_form(build: Callable[..., Any], *, resident: bool = False) -> Custom:
    """The form of a function ``(args, nargout)`` that gives terms, None or NotImplemented."""

    def form(args: tuple[Value, ...], nargout: int) -> Value:
        from app.engine.capture.terms import values

        return values(build(args, nargout))

    return Custom(form, resident)


def of_resident(build: Callable[..., Any]) -> Custom:
    """The same, of several device steps that are worth it only where the data are."""
    return term_form(build, resident=True)


def value_form(build: Callable[..., Any]) -> Custom:
    """The device form of a function ``(args)`` with one output that gives the value itself."""
    return Custom(lambda args, nargout: build(args) if nargout < 2 else NotImplemented)


DeviceForm = HostOnly | Elementwise | Reduction | Custom | Formula
"""What ``device=`` takes."""
