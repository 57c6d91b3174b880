"""What functions of a toolbox are written with.

>>> from fuselab.toolbox import builtin, Formula
>>> @builtin(
...     "chirp_rate",
...     category="waves",
...     signatures=("R = chirp_rate(F0, F1, T)",),
...     device=Formula(lambda f0, f1, t: (f1 - f0) / t),
...     cases=("chirp_rate(1, 3, 4) == 0.5",),
... )
... def chirp_rate(f0, f1, t):
...     \"\"\"Hertz per second of a chirp from F0 to F1 in T seconds.\"\"\"
...     return (f1 - f0) / t

The declaration is all there is to write: help, completion, hints for arguments, ``fuselab
functions`` and the tests of ``fuselab toolbox test`` read it. ``signatures`` are the call forms,
``cases`` expressions that must be true (tests and examples in one), ``see`` related names,
``words`` the option words. The docstring is the help; its first line is the summary.

A function is given MATLAB values: ``float``, ``bool``, ``complex`` and ``str`` for scalars and rows
of characters, NumPy arrays of two dimensions or more for the rest of the numbers (`as_array` makes
one of any number), and the classes below. With a parameter ``ctx`` it is given the caller's
`CallContext` (``ctx.call(name, args, nargout)``, ``ctx.write(text)``), with ``nargout`` the number
of outputs wanted. It gives a value, a tuple of values, or nothing; arrays of one dimension become
rows. `MatlabError` fails with an identifier; any other exception becomes ``Fuselab:toolbox:
PythonError`` with the place in the toolbox.

``device`` says how the function runs on the device and fuses with what surrounds it: `Formula` of
a function of terms (which have Python's operators and the elementary functions as methods:
``x.sin()``, ``where(x < 0, 0, x)``), `Elementwise`, `Reduction`. Without it the function runs on
the host.
"""

from __future__ import annotations

from app.api.convert import from_matlab, to_matlab
from app.engine.arguments.call_context import CallContext
from app.engine.capture.terms import Term, where
from app.engine.declarations.device_support import (
    CONTAINER,
    METADATA,
    Custom,
    Elementwise,
    Formula,
    HostOnly,
    Reduction,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    FunctionHandle,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    text_of,
)
from app.errors import MatlabError

__all__ = [
    "CONTAINER",
    "METADATA",
    "CallContext",
    "Cell",
    "Custom",
    "Elementwise",
    "Formula",
    "FunctionHandle",
    "HostOnly",
    "MatlabError",
    "Reduction",
    "StringArray",
    "Struct",
    "StructArray",
    "Term",
    "Value",
    "as_array",
    "builtin",
    "canonical",
    "class_of",
    "from_matlab",
    "text_of",
    "to_matlab",
    "where",
]
