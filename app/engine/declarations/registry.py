"""The table of builtins: every one is declared once, with ``@builtin``.

Dispatch, arity errors, help, completion, ``fuselab functions`` and the generated tests all read
these declarations. ``lookup(name)`` imports only the family module that declares the name.
"""

from __future__ import annotations

import importlib
import inspect
import operator
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Required, TypedDict, TypeVar, Unpack

import numpy as np

from app import blas
from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import WrongReceiver
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.capture.lazy_limits import Limits, is_spread, stays_lazy
from app.engine.declarations import toolboxes
from app.engine.declarations.argument_errors import refuse
from app.engine.declarations.builtin_index import index
from app.engine.declarations.device_support import CONTAINER, HOST, DeviceForm, HostOnly
from app.engine.declarations.effects import is_pure, only_computes
from app.engine.declarations.file_errors import refuse_file
from app.engine.declarations.host_reasons import OF_FAMILY, OF_TOOLBOX
from app.engine.declarations.unusual_arguments import (
    logicals_as_numbers,
    refuse_unusual,
)
from app.engine.values import (
    Cell,
    CharArray,
    DeviceArray,
    NativeObject,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    numel,
)
from app.engine.values.unset_value import refuse_unset
from app.errors import FuselabError, InternalError, MatlabError, Unsupported

_UNLIMITED = 1 << 30
_TEXTS = "strings"
_STRING_OPERATIONS = frozenset(
    "cellstr char double single eq ne lt le gt ge plus ismissing issorted sort".split()
)
"""Functions of arrays in general that the class of strings has as methods, too."""
_F = TypeVar("_F", bound=Callable[..., Any])

_loaded: dict[str, Builtin] = {}


_WORDED = frozenset(
    {
        "bits",
        "complex numbers",
        "control systems",
        "creation",
        "dates",
        "differential equations",
        "distributions",
        "elementary maths",
        "exponents and logarithms",
        "geometry",
        "histograms",
        "images",
        "integration",
        "interpolation",
        "linear algebra",
        "moving windows",
        "number theory",
        "numerical integration",
        "optimisation",
        "polynomials",
        "random numbers",
        "reductions",
        "rounding",
        "signal processing",
        "sound",
        "sparse matrices",
        "special functions",
        "special matrices",
        "statistics",
        "time",
        "trigonometry",
        "windows",
    }
)
"""Families whose texts are words (options, names, files), so that "omitnan" is 'omitnan'."""


_LONG = {
    "distributions": 1 << 16,
    "special functions": 1 << 16,
    **dict.fromkeys(
        ("geometry", "images", "interpolation", "polynomials", "signal processing"),
        stoppable.LARGE_ARRAY,
    ),
}
"""Families whose functions are long calls of libraries for arrays of so many elements."""
_PLAIN = frozenset((np.ndarray, float, bool, complex, str, CharArray, StringArray, SparseMatrix))
"""Types of values that nothing of the interpreter is needed for."""


_OF_OTHER_VALUES = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    WrongReceiver,
)
"""What a method fails with that is called with values it does not know."""


def _word(v: Value) -> Value:
    """A string scalar as a character vector."""
    if type(v) is StringArray and v.data.size == 1 and v.data.flat[0] is not None:
        return v.data.flat[0]
    return v


class Builtin:
    """One builtin function.

    Attributes:
        name: the MATLAB name.
        category: family shown in listings and help.
        signatures: call forms, such as ``[q, r] = deconv(b, a)``.
        device: device form.
        expands: whether that combines two arguments element by element, with implicit expansion.
        cases: MATLAB expressions that must be true; they are tests and examples.
        see: related names.
        help: the help text; its first line is the summary.
        long: from how many elements on a stop leaves its call on the host; 0: it looks up itself.
        scalar: meaning for one real double, without any dispatch; None if there is none.
        words: the option words that may follow the required inputs; None: any text may.
        worded: whether its texts are words, given as strings or as character vectors.
        toolbox: the toolbox of others that declares it; None for the library and for toolboxes
            that came with it, which keep its rules of values and errors.
        octave: whether only programs that run in Octave's dialect have it.
        is_pure: whether it changes nothing, and depends on its arguments and random draws alone.
    """

    __slots__ = (
        "_invoke",
        "cases",
        "category",
        "device",
        "expands",
        "function",
        "help",
        "is_pure",
        "long",
        "max_args",
        "max_outputs",
        "min_args",
        "name",
        "octave",
        "scalar",
        "see",
        "signatures",
        "toolbox",
        "worded",
        "words",
    )

    def __init__(self, name: str, function: Callable[..., Any], facts: Facts) -> None:
        self.name = name
        self.function = function
        self.category = facts["category"]
        self.signatures = facts["signatures"]
        self.worded = self.category in _WORDED
        form = facts.get("device", HOST)
        self.toolbox = toolboxes.declaring_toolbox(name, function.__module__)
        self.device = HostOnly(self._host_reason()) if form is HOST else form
        self.expands = getattr(self.device, "expands", False)
        self.cases = facts.get("cases", ())
        self.see = facts.get("see", ())
        self.scalar = facts.get("scalar")
        self.help = facts.get("text") or inspect.getdoc(function) or ""
        self.max_outputs = _most_outputs(self.signatures)
        least, self.max_args, self._invoke = _adapter(function)
        if facts.get("reads_file"):
            self._invoke = _finding_file(self._invoke)
        if self.toolbox is not None:
            self._invoke = _giving_values(self._invoke)
        lazy = getattr(self.device, "lazy", False)
        stays = lazy or self.wants_context
        if self.category == "linear algebra":
            self._invoke = _with_threads(self._invoke, stays)
        self.long = 0 if stays or facts.get("reads_file") else _LONG.get(self.category, 0)
        self.is_pure = not facts.get("reads_file") and is_pure(name, self.category)
        self.min_args = max(least, facts.get("least", 0))
        self.max_args = min(self.max_args, facts.get("most", self.max_args))
        words = facts.get("words")
        self.octave = facts.get("octave", False)
        self.words = None if words is None else frozenset(words.lower().split())

    @property
    def wants_context(self) -> bool:
        """Whether it may use the session: call functions, draw numbers, print."""
        return "ctx" in inspect.signature(self.function).parameters

    def _host_reason(self) -> str:
        """Why the function stays on the host; its declaration gives no reason of its own."""
        if self.toolbox is not None:
            return OF_TOOLBOX
        if self.category not in OF_FAMILY:
            problem = f"{self.name}: host_reasons.OF_FAMILY has no reason for {self.category!r}"
            raise InternalError("registry", problem)
        return OF_FAMILY[self.category]

    @property
    def summary(self) -> str:
        """The first line of the help text."""
        return self.help.partition("\n")[0]

    def call(self, ctx: CallContext | None, args: tuple[Value, ...], nargout: int = 1) -> Value:
        """Call with MATLAB's arguments: one value, or a tuple when there are several (or none)."""
        if (
            not self.min_args <= len(args) <= self.max_args
            or nargout > self.max_outputs
            or (self.words is not None and len(args) > self.min_args and self._strange_word(args))
        ) and not self._is_overloaded(args):
            raise self._wrong_call(args, nargout)
        if Limits.pure:
            if not self.is_pure:
                raise Unsupported(f"{self.name} is called in every pass")
            refuse_unset(args)
        try:
            if (
                self.scalar is not None
                and nargout < 2
                and len(args) == 1
                and type(args[0]) is float
            ):
                return self.scalar(args[0])
            for a in args:
                if type(a) not in _AS_THEY_ARE and (
                    type(a) is not np.ndarray or a.size >= Limits.capture
                ):
                    return self._dispatched_call(ctx, args, nargout)
            if self.expands and len(args) == 2 and _is_spread(*args):
                return self._call_large(ctx, args, nargout)
            return self._invoke(ctx, args, nargout)
        except Exception as problem:
            if self.toolbox is not None and not isinstance(problem, FuselabError):
                raise toolboxes.error_of(self.name, self.toolbox, problem) from problem
            numbers = logicals_as_numbers(args, problem)
            if numbers is not None and only_computes(self.name, self.category):
                return self.call(ctx, numbers, nargout)
            refuse_file(self, args, problem)
            refuse(self, args, problem)
            refuse_unusual(self, args, problem)
            raise

    def _dispatched_call(
        self, ctx: CallContext | None, args: tuple[Value, ...], nargout: int
    ) -> Value:
        """The call where an argument is large, lazy, sparse, a string or an object."""
        small = False
        for a in args:
            if type(a) is DeviceArray or (type(a) is np.ndarray and a.size >= Limits.capture):
                if not small and stays_lazy(args):
                    return self._call_large(ctx, args, nargout)
                small = True
            elif type(a) is StringArray and self.worded and _word(a) is not a:
                return self.call(ctx, tuple(map(_word, args)), nargout)
            elif type(a) in _native_types and isinstance(a, NativeObject):
                return self._call_native(ctx, a, args, nargout)
            elif type(a) is SparseMatrix and a is args[0]:
                return self._call_sparse(ctx, args, nargout)
        return self._on_host(
            ctx, self._gathered_arguments(args, "too-small") if small else args, nargout
        )

    def _on_host(self, ctx: CallContext | None, args: tuple[Value, ...], nargout: int) -> Value:
        """What the host answers to large arguments; a stop need not wait for it."""
        if self.long and _elements(args) >= self.long:
            return stoppable.beside(partial(self._invoke, ctx, args, nargout))
        return self._invoke(ctx, args, nargout)

    def _call_large(self, ctx: CallContext | None, args: tuple[Value, ...], nargout: int) -> Value:
        result = self.device.capture(args, nargout)
        if result is not NotImplemented:
            return result
        cause = f"needs-host-value: {self.name}"
        return self._on_host(ctx, self._gathered_arguments(args, cause), nargout)

    def _call_sparse(self, ctx: CallContext | None, args: tuple[Value, ...], nargout: int) -> Value:
        form = _sparse_forms().get(self.name)
        made = NotImplemented if form is None else form(*args, nargout=nargout)
        if made is not NotImplemented:
            return made
        return self._on_host(
            ctx, self._gathered_arguments(args, f"needs-host-value: {self.name}"), nargout
        )

    def _gathered_arguments(self, args: tuple[Value, ...], cause: str) -> tuple[Value, ...]:
        """The arguments with lazy arrays gathered, unless the builtin takes them as they are."""
        if getattr(self.device, "lazy", False):
            return args
        return tuple(a.gather(cause) if type(a) is DeviceArray else a for a in args)

    def _call_native(
        self, ctx: CallContext | None, first: NativeObject, args: tuple[Value, ...], nargout: int
    ) -> Value:
        method = first.methods().get(self.name)
        if method is None:
            return self.call_past_methods(ctx, args, nargout)
        try:
            made = method(ctx, args, nargout)
        except _OF_OTHER_VALUES as problem:
            if self._is_regular(first, args):
                raise
            raise self._not_for(first, args) from problem
        if made is NotImplemented:
            raise self._not_for(first, args)
        return made

    def call_past_methods(self, ctx: object, args: tuple[Value, ...], nargout: int = 1) -> Value:
        """Call the builtin itself, whatever methods of that name the objects given have."""
        return self._invoke(ctx, tuple(map(_word, args)) if self.worded else args, nargout)

    def _is_regular(self, first: NativeObject, args: tuple[Value, ...]) -> bool:
        """Whether the object comes first and with as many inputs as the builtin takes."""
        return first is args[0] and self.min_args <= len(args) <= self.max_args

    def _not_for(self, first: NativeObject, args: tuple[Value, ...]) -> MatlabError:
        """The error for inputs that a method of an object does not take."""
        if not self.min_args <= len(args) <= self.max_args:
            return self._wrong_call(args, 0)
        return undefined_for_class(self.name, first)

    def _is_overloaded(self, args: tuple[Value, ...]) -> bool:
        """Whether an object among the inputs has a method of this name, with inputs of its own."""
        return any(
            type(a) in _native_types and isinstance(a, NativeObject) and self.name in a.methods()
            for a in args
        )

    def _strange_word(self, args: tuple[Value, ...]) -> str:
        """The first text behind the required inputs that is no option; empty for none."""
        known = self.words or frozenset()
        for a in args[self.min_args :]:
            if type(a) is float or type(a) is np.ndarray:
                continue
            word = _word(a)
            if type(word) is str and word and word.lower() not in known:
                return word
        return ""

    def _wrong_call(self, args: tuple[Value, ...], nargout: int) -> MatlabError:
        count = len(args)
        if self.min_args <= count <= self.max_args and nargout <= self.max_outputs:
            text = f"'{self._strange_word(args)}' is not an option of {self.name}."
            if self.words:
                text += f" Its options are: {', '.join(sorted(self.words))}."
            return MatlabError(f"MATLAB:{self.name}:unknownOption", text)
        wrong = ("Octave:invalid-fun-call", f"Invalid call to {self.name}")
        if count < self.min_args:
            error = MatlabError("MATLAB:minrhs", "Not enough input arguments.")
            return error.as_in_octave(*wrong)
        surplus = "input" if count > self.max_args else "output"
        identifier = "MATLAB:maxrhs" if surplus == "input" else "MATLAB:maxlhs"
        error = MatlabError(identifier, f"Too many {surplus} arguments.")
        return error.as_in_octave(wrong[0], f"{wrong[1]}: function called with too many {surplus}s")


@cache
def _sparse_forms() -> dict[str, Callable[..., Value]]:
    """What builtins mean for sparse matrices, which few programs have."""
    from app.engine.declarations.sparse_forms import FORMS

    return FORMS


def _is_spread(a: Value, b: Value) -> bool:
    """Whether two small arrays, such as a column and a row, give a large result."""
    return type(a) is np.ndarray and type(b) is np.ndarray and is_spread(a, b)


_AS_THEY_ARE = frozenset((float, str, bool, complex, Cell, Struct, StructArray, CharArray))
"""Types of arguments that every builtin takes as they are."""

_native_types: set[type] = set()


def native_type(cls: type[NativeObject]) -> type[NativeObject]:
    """Class decorator: builtins called with such an object try its ``methods()`` first."""
    _native_types.add(cls)
    return cls


class Facts(TypedDict, total=False):
    """What a declaration says of its builtin beside its name; see ``Builtin``.

    Attributes:
        text: the help text, where it is not the function's docstring.
        least: the fewest inputs of one whose parameters do not say it (``*args``).
        most: the most inputs of one whose parameters do not say it.
        words: the option words, with blanks between; see ``Builtin.words``.
        reads_file: whether the first input names a file, which may lie on the search path.
        octave: whether only programs for Octave have it; see ``Builtin``.
    """

    category: Required[str]
    signatures: Required[tuple[str, ...]]
    device: DeviceForm
    cases: tuple[str, ...]
    see: tuple[str, ...]
    scalar: Callable[[float], Value] | None
    text: str
    least: int
    most: int
    words: str
    reads_file: bool
    octave: bool


_file_finder = operator.attrgetter("path.find_file")


def _finding_file(invoke: Callable[..., Value]) -> Callable[..., Value]:
    """``invoke`` with the file that its first input names, looked up on the search path."""

    def found(ctx: object, args: tuple[Value, ...], nargout: int) -> Value:
        name = _word(args[0]) if args else None
        if type(name) is str:
            args = (_file_finder(ctx)(name), *args[1:])
        return invoke(ctx, args, nargout)

    return found


def _giving_values(invoke: Callable[..., Value]) -> Callable[..., Value]:
    """A function of a toolbox may give NumPy arrays of any dimension, integers and None."""
    return lambda ctx, args, nargout: toolboxes.as_value(invoke(ctx, args, nargout))


def builtin(name: str, **facts: Unpack[Facts]) -> Callable[[_F], _F]:
    """Declare the decorated Python function as the builtin ``name``."""

    def declare(function: _F) -> _F:
        _loaded[name] = Builtin(name, function, facts)
        return function

    return declare


def _elements(args: tuple[Value, ...]) -> int:
    """Elements of all arguments together; 0 where one of them is more than numbers and texts."""
    count = 0
    for a in args:
        if type(a) not in _PLAIN:
            return 0
        count += numel(a)
    return count


def _most_outputs(signatures: tuple[str, ...]) -> int:
    most = 0
    for signature in signatures:
        left, equals, _ = signature.partition("=")
        if not equals or "(" in left:
            continue
        if "..." in left or "varargout" in left:
            return _UNLIMITED
        most = max(most, len(re.findall(r"[\w~]+", left)))
    return most


def _adapter(function: Callable[..., Any]) -> tuple[int, int, Callable[..., Value]]:
    """Fewest and most inputs of ``function``, and a caller ``(ctx, args, nargout)`` for it."""
    least = most = 0
    wants_ctx = wants_nargout = False
    for p in inspect.signature(function).parameters.values():
        if p.name == "ctx":
            wants_ctx = True
        elif p.name == "nargout":
            wants_nargout = True
        elif p.kind is p.VAR_POSITIONAL:
            most = _UNLIMITED
        elif p.kind is not p.KEYWORD_ONLY:
            most += 1
            least += p.default is p.empty
    if wants_ctx and wants_nargout:
        return least, most, lambda ctx, args, n: function(ctx, *args, nargout=n)
    if wants_ctx:
        return least, most, lambda ctx, args, n: function(ctx, *args)
    if wants_nargout:
        return least, most, lambda ctx, args, n: function(*args, nargout=n)
    return least, most, lambda ctx, args, n: function(*args)


def _with_threads(invoke: Callable[..., Value], stays: bool) -> Callable[..., Value]:
    """Calls of LAPACK with large matrices may use several threads, and a stop ends them.

    What calls back into the interpreter, or captures, ``stays`` on its thread.
    """

    def call(ctx: CallContext | None, args: tuple[Value, ...], nargout: int) -> Value:
        for a in args:
            if type(a) is np.ndarray and a.size > blas.LARGE_ELEMENTS:
                operations = float(a.size) ** 1.5
                if not stays:
                    work = partial(invoke, ctx, args, nargout)
                    return stoppable.on_free_cores(operations, work)
                with blas.spread(operations):
                    return invoke(ctx, args, nargout)
        return invoke(ctx, args, nargout)

    return call


def is_package(prefix: str) -> bool:
    """Whether the names of builtins begin with ``prefix.``, such as ``matlab.lang``; no class."""
    return prefix in _packages() or any(n.startswith(f"{prefix}.") for n in toolboxes.names())


@cache
def _packages() -> frozenset[str]:
    parts = (name.split(".")[:-1] for name in index())
    found = {".".join(path[:n]) for path in parts for n in range(1, len(path) + 1)}
    return frozenset(found - index().keys())


def lookup(name: str) -> Builtin | None:
    """The builtin ``name``, its family loaded if need be; None when there is none.

    One of a toolbox that cannot be used says why, in its help and when it is called.
    """
    found = _loaded.get(name)
    if found is None:
        module = index().get(name)
        if module is not None:
            home = importlib.import_module(module)
            if name not in _loaded:  # a module of many that are made one by one
                home.declare(name)
        else:
            try:
                if not toolboxes.load(name):
                    return None
            except MatlabError as problem:
                return _unusable(name, problem)
        found = _loaded[name]
    return found


def module_of(name: str) -> str | None:
    """The module that declares a builtin, of the library or a toolbox; None once that is gone."""
    toolbox = toolboxes.toolbox_of(name)
    return index().get(name) if toolbox is None else toolbox.modules.get(name)


def _unusable(name: str, problem: MatlabError) -> Builtin:
    """What stands for a function whose toolbox cannot be used now; later calls try again."""

    def call(ctx: CallContext | None, *args: Value, nargout: int = 1) -> Value:
        toolboxes.load(name)
        return _loaded[name].call(ctx, args, nargout)

    signatures = (f"[varargout] = {name}(varargin)",)
    facts = Facts(
        category="programs", signatures=signatures, device=CONTAINER, text=problem.message
    )
    return Builtin(name, call, facts)


def names() -> list[str]:
    """The names of all builtins, sorted; loads nothing."""
    return sorted((*index(), *toolboxes.names()), key=str.lower)


def load_all() -> dict[str, Builtin]:
    """Every builtin by name; imports all families."""
    return {name: b for name in names() if (b := lookup(name)) is not None}


def is_string_method(name: str) -> bool:
    """Whether ``text.name(…)`` is a call: functions of texts are methods of strings."""
    found = lookup(name)
    return name in _STRING_OPERATIONS or (found is not None and found.category == _TEXTS)


def string_methods() -> list[str]:
    """The methods of strings by name."""
    texts = {name for name, found in load_all().items() if found.category == _TEXTS}
    return sorted(texts | _STRING_OPERATIONS)
