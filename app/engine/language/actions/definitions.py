"""Actions of functions, classes, and the whole text."""

from __future__ import annotations

from typing import Any

from app.engine.language import ast
from app.engine.language.actions.expression_actions import ExpressionActions
from app.engine.language.actions.statement_actions import Block
from app.engine.language.actions.tokens_text import TokenText
from app.engine.language.ast import Expr
from app.engine.language.help_comments import Comments
from app.source import Span


class DefinitionActions:
    """Makes definitions.

    Functions are not statements: each finished one waits in ``pending`` for the function, class
    or file around it.
    """

    def __init__(self, tokens: TokenText, expressions: ExpressionActions) -> None:
        self.tokens = tokens
        self.starts, self.ends = tokens.starts, tokens.ends
        self._parameter = expressions.parameter
        self.pending: list[ast.FunctionDef] = []
        self.classes: list[ast.ClassDef] = []
        self.comments = Comments(tokens.text, tokens.stream.comments)

    # --- functions -----------------------------------------------------------------------------

    def dotted(self, token: int) -> tuple[str, Span]:
        """``NAME``."""
        return self.tokens.word(token), self.tokens.span(token)

    def dotted_more(self, name: tuple[str, Span], dot: int, token: int) -> tuple[str, Span]:
        """``dotted DOT NAME``."""
        return f"{name[0]}.{self.tokens.word(token)}", Span(name[1].start, self.ends[token])

    def shape(self, name: tuple[str, Span], left: int = -1, right: int = -1) -> Any:
        """``dotted``."""
        return name, (), self.ends[right] if right >= 0 else name[1].end

    def shape_params(
        self, name: tuple[str, Span], left: int, inputs: list[ast.Parameter], right: int
    ) -> Any:
        """``dotted LPAR params RPAR``."""
        return name, tuple(inputs), self.ends[right]

    def signature(self, shape: Any) -> Any:
        """``call_shape``."""
        return *shape, (), shape[0][1].start

    def signature_one(self, output: int, equals: int, shape: Any) -> Any:
        """``NAME EQ call_shape``."""
        return *shape, (self._parameter(output),), self.starts[output]

    def signature_none(self, left: int, right: int, equals: int, shape: Any) -> Any:
        """``OBRA RBRA EQ call_shape``."""
        return *shape, (), self.starts[left]

    def signature_many(
        self, left: int, outputs: list[ast.Parameter], right: int, equals: int, shape: Any
    ) -> Any:
        """``OBRA params RBRA EQ call_shape``."""
        return *shape, tuple(outputs), self.starts[left]

    def function(self, token: int, signature: Any, separator: int, block: Block, end: int) -> None:
        """``FUNCTION signature sep block FEND``."""
        (name, name_span), inputs, header_end, outputs, _ = signature
        start = self.starts[token]
        arguments = tuple(x for x in block if isinstance(x, ast.ArgumentsBlock))
        body = tuple(x for x in block if not isinstance(x, ast.ArgumentsBlock))
        self.pending.append(
            ast.FunctionDef(
                Span(start, self._function_end(end)),
                name,
                self.tokens.distinct(inputs),
                outputs,
                body,
                arguments,
                self._take_pending(start),
                self.tokens.kinds[end] != "FEND",
                name_span,
                self.comments.help(start, header_end),
            )
        )

    def _function_end(self, end: int) -> int:
        """A function without ``end`` reaches to its last token."""
        while self.tokens.kinds[end] == "FEND" or self.tokens.kinds[end] == "NL":
            end -= 1
        return self.ends[end]

    def _take_pending(self, start: int) -> tuple[ast.FunctionDef, ...]:
        first = len(self.pending)
        while first and self.pending[first - 1].span.start > start:
            first -= 1
        taken = tuple(self.pending[first:])
        del self.pending[first:]
        return taken

    # --- classes and declarations ---------------------------------------------------------------

    def attribute(self, token: int) -> ast.Attribute:
        """``NAME``."""
        return ast.Attribute(self.tokens.span(token), self.tokens.word(token))

    def attribute_value(self, token: int, equals: int, value: Expr) -> ast.Attribute:
        """``NAME EQ expr``."""
        return ast.Attribute(
            Span(self.starts[token], value.span[1]), self.tokens.word(token), value
        )

    def attribute_negated(self, sign: int, token: int) -> ast.Attribute:
        """``NOT NAME``."""
        false = ast.Name(self.tokens.span(sign), "false")
        return ast.Attribute(self.tokens.between(sign, token), self.tokens.word(token), false)

    def declared_name(self, token: int) -> Any:
        """``NAME``."""
        return self.tokens.word(token), "", "", self.tokens.span(token)

    def declared_member(self, token: int, dot: int, member: int) -> Any:
        """``NAME DOT NAME``."""
        return (
            self.tokens.word(token),
            self.tokens.word(member),
            "",
            self.tokens.between(token, member),
        )

    def declared_typed(self, token: int) -> Any:
        """``SUPER``."""
        name, _, class_name = self.tokens.word(token).partition("@")
        return name.rstrip(), "", class_name.strip(), self.tokens.span(token)

    def declaration(
        self,
        name: Any,
        size: list[Expr] | None,
        class_name: tuple[str, Span] | None,
        validators: list[Expr],
        default: Expr | None,
    ) -> ast.Declaration:
        """``declared_name dims class_name validators default``."""
        identifier, member, old_class, span = name
        end = max(
            span.end,
            size[-1].span.end + 1 if size else 0,
            class_name[1].end if class_name else 0,
            validators[-1].span.end + 1 if validators else 0,
            default.span.end if default else 0,
        )
        return ast.Declaration(
            Span(span.start, end),
            identifier,
            member,
            tuple(size) if size is not None else None,
            class_name[0] if class_name else old_class,
            tuple(validators),
            default,
            self.comments.beside(span.start, end),
        )

    def arguments_block(
        self,
        token: int,
        attributes: list[ast.Attribute],
        separators: Any,
        declarations: list[ast.Declaration],
        end: int,
    ) -> ast.ArgumentsBlock:
        """``ARGUMENTS attributes seps declarations end_arguments``."""
        return ast.ArgumentsBlock(
            self.tokens.between(token, end), tuple(attributes), tuple(declarations)
        )

    def properties(
        self,
        token: int,
        attributes: list[ast.Attribute],
        separators: Any,
        declarations: list[ast.Declaration],
        end: int,
    ) -> ast.PropertiesBlock:
        """``PROPERTIES attributes seps declarations end_properties``."""
        return ast.PropertiesBlock(
            self.tokens.between(token, end), tuple(attributes), tuple(declarations)
        )

    def method_signature(
        self, signatures: list[ast.Signature], signature: Any, separator: int
    ) -> list[ast.Signature]:
        """``methods signature sep``."""
        (name, _), inputs, end, outputs, start = signature
        signatures.append(ast.Signature(Span(start, end), name, inputs, outputs))
        return signatures

    def methods(
        self,
        token: int,
        attributes: list[ast.Attribute],
        separators: Any,
        signatures: list[ast.Signature],
        end: int,
    ) -> ast.MethodsBlock:
        """``METHODS attributes seps methods end_methods``."""
        functions = self._take_pending(self.starts[token])
        span = self.tokens.between(token, end)
        return ast.MethodsBlock(span, tuple(attributes), functions, tuple(signatures))

    def events(
        self,
        token: int,
        attributes: list[ast.Attribute],
        names: list[int],
        end: int,
    ) -> ast.EventsBlock:
        """``EVENTS attributes event_names end_events``."""
        words = tuple(self.tokens.word(name) for name in names)
        return ast.EventsBlock(self.tokens.between(token, end), tuple(attributes), words)

    def member(self, token: int, left: int = -1, right: int = -1) -> ast.EnumerationMember:
        """``NAME``."""
        span = self.tokens.between(token, right if right >= 0 else token)
        return ast.EnumerationMember(span, self.tokens.word(token))

    def member_args(
        self, token: int, left: int, args: list[Expr], right: int
    ) -> ast.EnumerationMember:
        """``NAME LPAR args RPAR``."""
        return ast.EnumerationMember(
            self.tokens.between(token, right), self.tokens.word(token), tuple(args)
        )

    def enumeration(
        self,
        token: int,
        attributes: list[ast.Attribute],
        members: list[ast.EnumerationMember],
        end: int,
    ) -> ast.EnumerationBlock:
        """``ENUMERATION attributes members end_enumeration``."""
        return ast.EnumerationBlock(
            self.tokens.between(token, end), tuple(attributes), tuple(members)
        )

    def classdef(
        self,
        token: int,
        attributes: list[ast.Attribute],
        name: tuple[str, Span],
        supers: list[tuple[str, Span]],
        separators: Any,
        blocks: list[ast.ClassBlock],
        end: int,
    ) -> None:
        """``CLASSDEF attributes dotted supers seps class_blocks class_end``."""
        header_end = supers[-1][1].end if supers else name[1].end
        self.classes.append(
            ast.ClassDef(
                self.tokens.between(token, end),
                name[0],
                tuple(attributes),
                tuple(s[0] for s in supers),
                tuple(blocks),
                name[1],
                self.comments.help(self.starts[token], header_end),
            )
        )

    # --- the whole text --------------------------------------------------------------------------

    def file(self, block: Block) -> ast.File:
        """The whole text."""
        classdef = self.classes[0] if self.classes else None
        kind = "classdef" if classdef else "script" if block or not self.pending else "function"
        functions = tuple(self.pending)
        span = Span(0, len(self.tokens.text))
        return ast.File(span, kind, tuple(block), functions, classdef, self.comments.first())
