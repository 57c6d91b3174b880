"""The grammar's actions for statements and definitions."""

from __future__ import annotations

from typing import Any

from app.engine.language import ast, literals
from app.engine.language.ast import Expr, Statement
from app.engine.language.builder_expr import ExpressionBuilder
from app.engine.language.comments import Comments
from app.engine.language.tokens import Dialect, TokenStream, operator_of
from app.source import Span

Block = list[Statement]
Simple = tuple[Any, ...]


class Builder(ExpressionBuilder):
    """Makes the nodes of a whole text.

    Functions are not statements: each finished one waits in ``pending`` for the function, class
    or file around it.
    """

    def __init__(self, text: str, stream: TokenStream, dialect: Dialect) -> None:
        super().__init__(text, stream, dialect)
        self.pending: list[ast.FunctionDef] = []
        self.classes: list[ast.ClassDef] = []
        self.comments = Comments(text, stream.comments)

    def _from(self, first: int, last: int) -> Span:
        return Span(self.starts[first], self.ends[last])

    def _end_of(self, block: Block, otherwise: int) -> int:
        return block[-1].span.end if block else otherwise

    # --- simple statements: a tuple until the terminator says whether to display ----------------

    def quiet(self, block: Block, simple: Simple, terminator: int) -> Block:
        """``block simple SEMI``."""
        block.append(simple[0](*simple[1:], False))
        return block

    def shown(self, block: Block, simple: Simple, terminator: int) -> Block:
        """``block simple NL``."""
        block.append(simple[0](*simple[1:], True))
        return block

    def expression_statement(self, expr: Expr) -> Simple:
        """``expr``."""
        if isinstance(expr, ast.AssignExpression) and expr.step:
            return ast.OpAssign, expr.span, expr.target, expr.op, expr.value
        return ast.ExpressionStatement, expr.span, expr

    def assign(self, target: Expr, equals: int, value: Expr) -> Simple:
        """``power EQ rhs``."""
        return ast.Assign, Span(target.span[0], value.span[1]), self.target(target), value

    def op_assign(self, target: Expr, operator: int, value: Expr) -> Simple:
        """``power OPEQ rhs``."""
        span = Span(target.span[0], value.span[1])
        return ast.OpAssign, span, self.target(target), operator_of(self.word(operator)), value

    def multi_assign(
        self, left: int, targets: list[Expr], right: int, equals: int, value: Expr
    ) -> Simple:
        """``OBRA outs RBRA EQ rhs``."""
        span = Span(self.starts[left], value.span[1])
        return ast.MultiAssign, span, tuple(targets), value

    def ignored(self, token: int) -> Expr:
        """``IGNORED``."""
        return ast.Ignored(self.span(token))

    def command(self, name: int, words: list[int]) -> Simple:
        """``COMMAND words``."""
        span = self._from(name, words[-1] if words else name)
        args = tuple(literals.unquote_word(self.word(word)) for word in words)
        if self.word(name) == "import":
            return _import, span, args
        return ast.Command, span, self.word(name), args

    # --- plain statements ------------------------------------------------------------------------

    def break_(self, token: int) -> Statement:
        """``BREAK``."""
        return ast.Break(self.span(token))

    def continue_(self, token: int) -> Statement:
        """``CONTINUE``."""
        return ast.Continue(self.span(token))

    def return_(self, token: int) -> Statement:
        """``RETURN``."""
        return ast.Return(self.span(token))

    def shell(self, token: int) -> Statement:
        """``SHELL``."""
        return ast.ShellEscape(self.span(token), self.word(token)[1:].strip())

    def global_(self, token: int, names: list[ast.Declared]) -> Statement:
        """``GLOBAL declareds``."""
        return ast.Global(Span(self.starts[token], names[-1].span[1]), tuple(names))

    def persistent(self, token: int, names: list[ast.Declared]) -> Statement:
        """``PERSISTENT declareds``."""
        return ast.Persistent(Span(self.starts[token], names[-1].span[1]), tuple(names))

    def declared(self, token: int) -> ast.Declared:
        """``NAME``."""
        return ast.Declared(self.span(token), self.word(token))

    def declared_value(self, token: int, equals: int, value: Expr) -> ast.Declared:
        """``NAME EQ expr``."""
        return ast.Declared(Span(self.starts[token], value.span[1]), self.word(token), value)

    def do_until(self, do: int, body: Block, until: int, condition: Expr) -> Statement:
        """``DO block UNTIL expr``."""
        span = Span(self.starts[do], condition.span[1])
        return ast.DoUntil(span, tuple(body), condition)

    # --- blocks --------------------------------------------------------------------------------

    def branch(self, condition: Expr, separator: int, body: Block) -> ast.Branch:
        """``test sep block``."""
        end = self._end_of(body, condition.span[1])
        return ast.Branch(Span(condition.span[0], end), condition, tuple(body))

    def first_elif(self, token: int, branch: ast.Branch) -> list[ast.Branch]:
        """``ELSEIF branch``."""
        return [branch]

    def if_(self, token: int, branch: ast.Branch, end: int) -> Statement:
        """``IF branch end_if``."""
        return ast.If(self._from(token, end), (branch,))

    def if_elifs(
        self, token: int, branch: ast.Branch, more: list[ast.Branch], end: int
    ) -> Statement:
        """``IF branch elifs end_if``."""
        return ast.If(self._from(token, end), (branch, *more))

    def if_else(
        self, token: int, branch: ast.Branch, else_: int, orelse: Block, end: int
    ) -> Statement:
        """``IF branch ELSE block end_if``."""
        return ast.If(self._from(token, end), (branch,), tuple(orelse))

    def if_elifs_else(
        self,
        token: int,
        branch: ast.Branch,
        more: list[ast.Branch],
        else_: int,
        orelse: Block,
        end: int,
    ) -> Statement:
        """``IF branch elifs ELSE block end_if``."""
        return ast.If(self._from(token, end), (branch, *more), tuple(orelse))

    def while_(self, token: int, test: Expr, separator: int, body: Block, end: int) -> Statement:
        """``WHILE test sep block end_while``."""
        return ast.While(self._from(token, end), test, tuple(body))

    def for_(
        self,
        token: int,
        target: Expr,
        equals: int,
        values: Expr,
        separator: int,
        body: Block,
        end: int,
    ) -> Statement:
        """``FOR power EQ expr sep block end_for``."""
        parallel = self.stream.kinds[token] == "PARFOR"
        span = self._from(token, end)
        return ast.For(span, self._loop_target(target), values, tuple(body), parallel)

    def _loop_target(self, target: Expr) -> Expr:
        """A target, or Octave's ``[value, key]``."""
        if isinstance(target, ast.Matrix) and len(target.rows) == 1 and len(target.rows[0]) == 2:
            return target
        return self.target(target)

    def for_parens(
        self, token: int, left: int, target: Expr, equals: int, values: Expr, *rest: Any
    ) -> Statement:
        """``FOR LPAR power EQ expr RPAR sep block end_for``."""
        _, separator, body, end = rest
        return self.for_(token, target, equals, values, separator, body, end)

    def parfor_workers(
        self, token: int, left: int, target: Expr, equals: int, values: Expr, *rest: Any
    ) -> Statement:
        """``PARFOR LPAR power EQ expr COMMA expr RPAR sep block end_parfor``."""
        _, workers, _, _, body, end = rest
        span = self._from(token, end)
        return ast.For(span, self.target(target), values, tuple(body), True, workers)

    def case(
        self, cases: list[ast.Case], token: int, value: Expr, separator: int, body: Block
    ) -> list[ast.Case]:
        """``cases CASE expr sep block``."""
        span = Span(self.starts[token], self._end_of(body, value.span[1]))
        cases.append(ast.Case(span, value, tuple(body)))
        return cases

    def switch(
        self, token: int, subject: Expr, separators: Any, cases: list[ast.Case], end: int
    ) -> Statement:
        """``SWITCH expr seps cases end_switch``."""
        return ast.Switch(self._from(token, end), subject, tuple(cases))

    def switch_otherwise(
        self, token: int, subject: Expr, separators: Any, cases: list[ast.Case], *rest: Any
    ) -> Statement:
        """``SWITCH expr seps cases OTHERWISE block end_switch``."""
        _, otherwise, end = rest
        return ast.Switch(self._from(token, end), subject, tuple(cases), tuple(otherwise))

    def try_(self, token: int, body: Block, end: int) -> Statement:
        """``TRY block end_try``."""
        return ast.Try(self._from(token, end), tuple(body), "", ())

    def try_catch(self, token: int, body: Block, catch: int, handler: Block, end: int) -> Statement:
        """``TRY block CATCH block end_try``."""
        return ast.Try(self._from(token, end), tuple(body), "", tuple(handler))

    def try_catch_name(
        self, token: int, body: Block, catch: int, name: int, handler: Block, end: int
    ) -> Statement:
        """``TRY block CATCH CATCHNAME block end_try``."""
        span, word = self._from(token, end), self.word(name)
        return ast.Try(span, tuple(body), word, tuple(handler), self.span(name))

    def unwind(self, token: int, body: Block, middle: int, cleanup: Block, end: int) -> Statement:
        """``UNWIND block CLEANUP block end_unwind``."""
        return ast.UnwindProtect(self._from(token, end), tuple(body), tuple(cleanup))

    def spmd(self, token: int, body: Block, end: int) -> Statement:
        """``SPMD block end_spmd``."""
        return ast.Spmd(self._from(token, end), (), tuple(body))

    def spmd_args(self, token: int, left: int, args: list[Expr], *rest: Any) -> Statement:
        """``SPMD LPAR args RPAR sep block end_spmd``."""
        _, _, body, end = rest
        return ast.Spmd(self._from(token, end), tuple(args), tuple(body))

    # --- functions -----------------------------------------------------------------------------

    def dotted(self, token: int) -> tuple[str, Span]:
        """``NAME``."""
        return self.word(token), self.span(token)

    def dotted_more(self, name: tuple[str, Span], dot: int, token: int) -> tuple[str, Span]:
        """``dotted DOT NAME``."""
        return f"{name[0]}.{self.word(token)}", Span(name[1].start, self.ends[token])

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
        return *shape, (self.parameter(output),), self.starts[output]

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
                inputs,
                outputs,
                body,
                arguments,
                self._take_pending(start),
                self.stream.kinds[end] != "FEND",
                name_span,
                self.comments.help(start, header_end),
            )
        )

    def _function_end(self, end: int) -> int:
        """A function without ``end`` reaches to its last token."""
        while self.stream.kinds[end] == "FEND" or self.stream.kinds[end] == "NL":
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
        return ast.Attribute(self.span(token), self.word(token))

    def attribute_value(self, token: int, equals: int, value: Expr) -> ast.Attribute:
        """``NAME EQ expr``."""
        return ast.Attribute(Span(self.starts[token], value.span[1]), self.word(token), value)

    def attribute_negated(self, sign: int, token: int) -> ast.Attribute:
        """``NOT NAME``."""
        false = ast.Name(self.span(sign), "false")
        return ast.Attribute(self._from(sign, token), self.word(token), false)

    def declared_name(self, token: int) -> Any:
        """``NAME``."""
        return self.word(token), "", "", self.span(token)

    def declared_member(self, token: int, dot: int, member: int) -> Any:
        """``NAME DOT NAME``."""
        return self.word(token), self.word(member), "", self._from(token, member)

    def declared_typed(self, token: int) -> Any:
        """``SUPER``."""
        name, _, class_name = self.word(token).partition("@")
        return name, "", class_name.strip(), self.span(token)

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
        return ast.ArgumentsBlock(self._from(token, end), tuple(attributes), tuple(declarations))

    def properties(
        self,
        token: int,
        attributes: list[ast.Attribute],
        separators: Any,
        declarations: list[ast.Declaration],
        end: int,
    ) -> ast.PropertiesBlock:
        """``PROPERTIES attributes seps declarations end_properties``."""
        return ast.PropertiesBlock(self._from(token, end), tuple(attributes), tuple(declarations))

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
        span = self._from(token, end)
        return ast.MethodsBlock(span, tuple(attributes), functions, tuple(signatures))

    def events(
        self,
        token: int,
        attributes: list[ast.Attribute],
        names: list[int],
        end: int,
    ) -> ast.EventsBlock:
        """``EVENTS attributes event_names end_events``."""
        words = tuple(self.word(name) for name in names)
        return ast.EventsBlock(self._from(token, end), tuple(attributes), words)

    def member(self, token: int, left: int = -1, right: int = -1) -> ast.EnumerationMember:
        """``NAME``."""
        span = self._from(token, right if right >= 0 else token)
        return ast.EnumerationMember(span, self.word(token))

    def member_args(
        self, token: int, left: int, args: list[Expr], right: int
    ) -> ast.EnumerationMember:
        """``NAME LPAR args RPAR``."""
        return ast.EnumerationMember(self._from(token, right), self.word(token), tuple(args))

    def enumeration(
        self,
        token: int,
        attributes: list[ast.Attribute],
        members: list[ast.EnumerationMember],
        end: int,
    ) -> ast.EnumerationBlock:
        """``ENUMERATION attributes members end_enumeration``."""
        return ast.EnumerationBlock(self._from(token, end), tuple(attributes), tuple(members))

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
                self._from(token, end),
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
        span = Span(0, len(self.text))
        return ast.File(span, kind, tuple(block), functions, classdef, self.comments.first())


def _import(span: Span, names: tuple[str, ...], display: bool) -> ast.Import:
    return ast.Import(span, names)
