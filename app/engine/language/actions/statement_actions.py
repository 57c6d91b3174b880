"""Actions of simple statements and of blocks."""

from __future__ import annotations

from typing import Any

from app.engine.language import ast, literals
from app.engine.language.actions.expression_actions import ExpressionActions
from app.engine.language.actions.tokens_text import TokenText
from app.engine.language.ast import Expr, Statement
from app.engine.language.tokens import operator_of
from app.source import Span

Block = list[Statement]
# A node's class and what it is made from, but for whether its value is shown.
Simple = tuple[Any, ...]


class SimpleActions:
    """Makes statements of one line."""

    def __init__(self, tokens: TokenText, expressions: ExpressionActions) -> None:
        self.tokens = tokens
        self.starts, self.ends = tokens.starts, tokens.ends
        self._target = expressions.target

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
        return ast.Assign, Span(target.span[0], value.span[1]), self._target(target), value

    def op_assign(self, target: Expr, operator: int, value: Expr) -> Simple:
        """``power OPEQ rhs``."""
        span = Span(target.span[0], value.span[1])
        return (
            ast.OpAssign,
            span,
            self._target(target),
            operator_of(self.tokens.word(operator)),
            value,
        )

    def multi_assign(
        self, left: int, targets: list[Expr], right: int, equals: int, value: Expr
    ) -> Simple:
        """``OBRA outs RBRA EQ rhs``."""
        span = Span(self.starts[left], value.span[1])
        return ast.MultiAssign, span, tuple(targets), value

    def ignored(self, token: int) -> Expr:
        """``IGNORED``."""
        return ast.Ignored(self.tokens.span(token))

    def command(self, name: int, words: list[int]) -> Simple:
        """``COMMAND words``."""
        span = self.tokens.between(name, words[-1] if words else name)
        args = tuple(literals.unquote_word(self.tokens.word(word)) for word in words)
        if self.tokens.word(name) == "import":
            return _import, span, args
        return ast.Command, span, self.tokens.word(name), args

    # --- plain statements ------------------------------------------------------------------------

    def break_(self, token: int) -> Statement:
        """``BREAK``."""
        return ast.Break(self.tokens.span(token))

    def continue_(self, token: int) -> Statement:
        """``CONTINUE``."""
        return ast.Continue(self.tokens.span(token))

    def return_(self, token: int) -> Statement:
        """``RETURN``."""
        return ast.Return(self.tokens.span(token))

    def shell(self, token: int) -> Statement:
        """``SHELL``."""
        return ast.ShellEscape(self.tokens.span(token), self.tokens.word(token)[1:].strip())

    def global_(self, token: int, names: list[ast.Declared]) -> Statement:
        """``GLOBAL declareds``."""
        return ast.Global(Span(self.starts[token], names[-1].span[1]), tuple(names))

    def persistent(self, token: int, names: list[ast.Declared]) -> Statement:
        """``PERSISTENT declareds``."""
        return ast.Persistent(Span(self.starts[token], names[-1].span[1]), tuple(names))

    def declared(self, token: int) -> ast.Declared:
        """``NAME``."""
        return ast.Declared(self.tokens.span(token), self.tokens.word(token))

    def declared_value(self, token: int, equals: int, value: Expr) -> ast.Declared:
        """``NAME EQ expr``."""
        return ast.Declared(Span(self.starts[token], value.span[1]), self.tokens.word(token), value)

    def do_until(self, do: int, body: Block, until: int, condition: Expr) -> Statement:
        """``DO block UNTIL expr``."""
        span = Span(self.starts[do], condition.span[1])
        return ast.DoUntil(span, tuple(body), condition)


class BlockActions:
    """Makes statements that hold statements."""

    def __init__(self, tokens: TokenText, expressions: ExpressionActions) -> None:
        self.tokens = tokens
        self.starts, self.ends = tokens.starts, tokens.ends
        self._target = expressions.target

    def branch(self, condition: Expr, separator: int, body: Block) -> ast.Branch:
        """``test sep block``."""
        end = _end_of(body, condition.span[1])
        return ast.Branch(Span(condition.span[0], end), condition, tuple(body))

    def first_elif(self, token: int, branch: ast.Branch) -> list[ast.Branch]:
        """``ELSEIF branch``."""
        return [branch]

    def if_(self, token: int, branch: ast.Branch, end: int) -> Statement:
        """``IF branch end_if``."""
        return ast.If(self.tokens.between(token, end), (branch,))

    def if_elifs(
        self, token: int, branch: ast.Branch, more: list[ast.Branch], end: int
    ) -> Statement:
        """``IF branch elifs end_if``."""
        return ast.If(self.tokens.between(token, end), (branch, *more))

    def if_else(
        self, token: int, branch: ast.Branch, else_: int, orelse: Block, end: int
    ) -> Statement:
        """``IF branch ELSE block end_if``."""
        return ast.If(self.tokens.between(token, end), (branch,), tuple(orelse))

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
        return ast.If(self.tokens.between(token, end), (branch, *more), tuple(orelse))

    def while_(self, token: int, test: Expr, separator: int, body: Block, end: int) -> Statement:
        """``WHILE test sep block end_while``."""
        return ast.While(self.tokens.between(token, end), test, tuple(body))

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
        parallel = self.tokens.kinds[token] == "PARFOR"
        span = self.tokens.between(token, end)
        return ast.For(span, self._loop_target(target), values, tuple(body), parallel)

    def _loop_target(self, target: Expr) -> Expr:
        """A target, or Octave's ``[value, key]``."""
        if isinstance(target, ast.Matrix) and len(target.rows) == 1 and len(target.rows[0]) == 2:
            return target
        return self._target(target)

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
        span = self.tokens.between(token, end)
        return ast.For(span, self._target(target), values, tuple(body), True, workers)

    def case(
        self, cases: list[ast.Case], token: int, value: Expr, separator: int, body: Block
    ) -> list[ast.Case]:
        """``cases CASE expr sep block``."""
        span = Span(self.starts[token], _end_of(body, value.span[1]))
        cases.append(ast.Case(span, value, tuple(body)))
        return cases

    def switch(
        self, token: int, subject: Expr, separators: Any, cases: list[ast.Case], end: int
    ) -> Statement:
        """``SWITCH expr seps cases end_switch``."""
        return ast.Switch(self.tokens.between(token, end), subject, tuple(cases))

    def switch_otherwise(
        self, token: int, subject: Expr, separators: Any, cases: list[ast.Case], *rest: Any
    ) -> Statement:
        """``SWITCH expr seps cases OTHERWISE block end_switch``."""
        _, otherwise, end = rest
        return ast.Switch(self.tokens.between(token, end), subject, tuple(cases), tuple(otherwise))

    def try_(self, token: int, body: Block, end: int) -> Statement:
        """``TRY block end_try``."""
        return ast.Try(self.tokens.between(token, end), tuple(body), "", ())

    def try_catch(self, token: int, body: Block, catch: int, handler: Block, end: int) -> Statement:
        """``TRY block CATCH block end_try``."""
        return ast.Try(self.tokens.between(token, end), tuple(body), "", tuple(handler))

    def try_catch_name(
        self, token: int, body: Block, catch: int, name: int, handler: Block, end: int
    ) -> Statement:
        """``TRY block CATCH CATCHNAME block end_try``."""
        span, word = self.tokens.between(token, end), self.tokens.word(name)
        return ast.Try(span, tuple(body), word, tuple(handler), self.tokens.span(name))

    def unwind(self, token: int, body: Block, middle: int, cleanup: Block, end: int) -> Statement:
        """``UNWIND block CLEANUP block end_unwind``."""
        return ast.UnwindProtect(self.tokens.between(token, end), tuple(body), tuple(cleanup))

    def spmd(self, token: int, body: Block, end: int) -> Statement:
        """``SPMD block end_spmd``."""
        return ast.Spmd(self.tokens.between(token, end), (), tuple(body))

    def spmd_args(self, token: int, left: int, args: list[Expr], *rest: Any) -> Statement:
        """``SPMD LPAR args RPAR sep block end_spmd``."""
        _, _, body, end = rest
        return ast.Spmd(self.tokens.between(token, end), tuple(args), tuple(body))


def _end_of(block: Block, otherwise: int) -> int:
    return block[-1].span.end if block else otherwise


def _import(span: Span, names: tuple[str, ...], display: bool) -> ast.Import:
    return ast.Import(span, names)
