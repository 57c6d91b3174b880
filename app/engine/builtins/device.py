"""How a builtin runs on the acceleration graph: one small record in its declaration.

A record's ``capture(args, nargout)`` gives the lazy result, or NotImplemented when these arguments
have to be computed on the host. ``reason`` is what ``fuselab functions`` shows for host-only ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.engine.values import Value


@dataclass(frozen=True, slots=True)
class HostOnly:
    """No device form. With ``lazy=True`` the builtin takes lazy arrays as they are (metadata)."""

    reason: str
    lazy: bool = False

    fuses = False

    def capture(self, args: tuple[Value, ...], nargout: int) -> Any:
        """Never captured."""
        return NotImplemented


HOST = HostOnly("host-only builtin")
"""The default: arguments are gathered and NumPy does the work."""

METADATA = HostOnly("needs only class and size", lazy=True)
"""For builtins that read class and size, never data."""

CONTAINER = HostOnly("works on containers", lazy=True)
"""For builtins that store or pass on values without reading them."""


@dataclass(frozen=True, slots=True)
class Elementwise:
    """``op`` of the acceleration graph applied to every element, with implicit expansion.

    Attributes:
        op: name of the accel op.
        result: class of the result: ``same``, ``logical``, ``float`` (integers stay on the host).
        guard: real domain of the function (a key of ``capture.DOMAINS``); empty when total.
    """

    op: str
    result: str = "same"
    guard: str = ""

    fuses = True
    reason = ""

    def capture(self, args: tuple[Value, ...], nargout: int) -> Any:
        """Build the node."""
        from app.engine.builtins import capture

        return capture.elementwise(self, args) if nargout < 2 else NotImplemented


@dataclass(frozen=True, slots=True)
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

    def capture(self, args: tuple[Value, ...], nargout: int) -> Any:
        """Build the node."""
        from app.engine.builtins import reduce_capture

        return reduce_capture.reduction(self, args, nargout)


@dataclass(frozen=True, slots=True)
class Custom:
    """A device form built by a function ``(args, nargout) -> value | NotImplemented``.

    Attributes:
        function: builds the nodes.
        label: name shown in listings.
    """

    function: Callable[[tuple[Value, ...], int], Any]
    label: str = ""

    fuses = True
    reason = ""

    def capture(self, args: tuple[Value, ...], nargout: int) -> Any:
        """Build the nodes."""
        return self.function(args, nargout)


def captured(name: str) -> Custom:
    """The device form that ``reduce_capture`` builds under this name."""

    def form(args: tuple[Value, ...], nargout: int) -> Any:
        from app.engine.builtins import reduce_capture

        return getattr(reduce_capture, name)(args) if nargout < 2 else NotImplemented

    return Custom(form, name)


DeviceForm = HostOnly | Elementwise | Reduction | Custom
"""What ``device=`` takes."""
