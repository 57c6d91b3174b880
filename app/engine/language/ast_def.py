"""Nodes of functions, classes and files."""

from __future__ import annotations

from dataclasses import field

from app.engine.language.ast_expr import Expr, Node, Parameter
from app.engine.language.ast_stmt import Statement
from app.records import record
from app.source import Span


@record
class Attribute(Node):
    """``Name`` or ``Name = value`` of a class, a class block or an arguments block.

    ``value`` is None for a bare name (true); ``~Name`` has the value ``Name("false")``.
    """

    name: str
    value: Expr | None = None


@record
class Declaration(Node):
    """One line of an ``arguments`` or ``properties`` block.

    Attributes:
        name: argument or property name.
        member: for ``options.Name`` the part after the dot; ``?Class`` for ``options.?Class``.
        size: dimensions (``Number`` or ``Colon``); None when not given.
        class_name: required class, such as ``double`` or ``pkg.Class``; empty when not given.
        validators: expressions in braces: ``Name`` or ``Index`` calls.
        default: default value, or None.
        help: comment after or before it.
    """

    name: str
    member: str = ""
    size: tuple[Expr, ...] | None = None
    class_name: str = ""
    validators: tuple[Expr, ...] = ()
    default: Expr | None = None
    help: str = field(default="", compare=False)


@record
class ArgumentsBlock(Node):
    """``arguments (Input|Output|Repeating) … end``."""

    attributes: tuple[Attribute, ...]
    declarations: tuple[Declaration, ...]


@record
class FunctionDef(Node):
    """A function of any kind.

    Attributes:
        name: name; ``get.Prop``/``set.Prop`` for property access methods.
        inputs: parameters, a trailing ``varargin`` included.
        outputs: outputs, a trailing ``varargout`` included.
        body: statements without the ``arguments`` blocks.
        arguments: the ``arguments`` blocks.
        functions: nested functions.
        has_end: True when it is closed by ``end``.
        name_span: where the name is.
        help: its help text: comment lines after the first line (or before it) without ``%``.
    """

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    arguments: tuple[ArgumentsBlock, ...] = ()
    functions: tuple[FunctionDef, ...] = ()
    has_end: bool = field(default=True, compare=False)
    name_span: Span = field(default=Span(0, 0), compare=False, repr=False)
    help: str = field(default="", compare=False)

    @property
    def list_output(self) -> str:
        """The last output where it is a cell of outputs: ``varargout``, or one that an
        ``arguments (Output, Repeating)`` declares; empty for none."""
        last = self.outputs[-1].name if self.outputs else ""
        repeating = (b for b in self.arguments if {a.name for a in b.attributes} >= _BOTH)
        declared = {d.name for block in repeating for d in block.declarations}
        return last if last == "varargout" or last in declared else ""


_BOTH = {"Output", "Repeating"}


@record
class PropertiesBlock(Node):
    """``properties (…) … end``."""

    attributes: tuple[Attribute, ...]
    declarations: tuple[Declaration, ...]


@record
class Signature(Node):
    """A method declared without a body: abstract, or defined in a file of its own."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]


@record
class MethodsBlock(Node):
    """``methods (…) … end``."""

    attributes: tuple[Attribute, ...]
    functions: tuple[FunctionDef, ...]
    signatures: tuple[Signature, ...] = ()


@record
class EventsBlock(Node):
    """``events (…) … end``."""

    attributes: tuple[Attribute, ...]
    names: tuple[str, ...]


@record
class EnumerationMember(Node):
    """``Name`` or ``Name (args)``."""

    name: str
    args: tuple[Expr, ...] = ()


@record
class EnumerationBlock(Node):
    """``enumeration … end``."""

    attributes: tuple[Attribute, ...]
    members: tuple[EnumerationMember, ...]


ClassBlock = PropertiesBlock | MethodsBlock | EventsBlock | EnumerationBlock


@record
class ClassDef(Node):
    """A class.

    Attributes:
        name: class name.
        attributes: class attributes, such as ``Abstract``.
        superclasses: dotted names.
        blocks: its blocks in source order.
        name_span: where the name is.
        help: its help text.
    """

    name: str
    attributes: tuple[Attribute, ...]
    superclasses: tuple[str, ...]
    blocks: tuple[ClassBlock, ...]
    name_span: Span = field(default=Span(0, 0), compare=False, repr=False)
    help: str = field(default="", compare=False)


@record
class File(Node):
    """A whole text.

    Attributes:
        kind: ``script``, ``function`` or ``classdef``.
        body: statements of a script; empty otherwise.
        functions: all top-level functions: in a function file the first is the main one, the
            others are local; in a script and beside a class all are local.
        classdef: the class of a class file.
        help: the first comment block of the file.
    """

    kind: str
    body: tuple[Statement, ...]
    functions: tuple[FunctionDef, ...] = ()
    classdef: ClassDef | None = None
    help: str = field(default="", compare=False)
