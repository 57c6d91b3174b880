"""What is being compiled: where its names lead, and the module that comes out.

Words of a state, eight bytes each: where code was left, the flag to poll, whom to ask then, the
random stream's key and offset, which guess was wrong; four for every counted loop
(pass, start, step, number of passes), the outermost first; then the variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.interpreter.compile.analysis import names_of_script
from app.engine.jit.jit_types import C128
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.engine.values.random_stream import PASS_BITS, PASSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.builder import Builder, Val
    from app.engine.jit.jit_functions import Instance
    from app.engine.jit.jit_types import Type
    from app.source import Span

    CompileFunction = Callable[
        ["Program", ast.FunctionDef, tuple[Type | None, ...], int, Span], Instance
    ]

SITE, POLL, ASK, KEY, OFFSET, WRONG, LOOPS = range(7)
WORDS_OF_LOOP = 4
_WORDS = frozenset(("i64", "ptr", "double", C128.llvm))
"""LLVM types that travel as they are; others are widened."""
_RANDOM = frozenset(("rand", "randn", "randi"))


class Program:
    """One compilation.

    Attributes:
        lines: the source lines that were compiled.
        random: True when random numbers are drawn.
        wide: True when whole arrays are computed.
        compile_function: compiles a function that the code calls; its parts know programs.
        instances: functions compiled along, by name and types.
        guesses: operands of any size that are taken for vectors, ranges for those of whole numbers.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        unit: Unit,
        compile_function: CompileFunction,
    ) -> None:
        self.compile_function = compile_function
        self.interpreter = interpreter
        self.unit = unit
        self.lines: set[int] = set()
        self.instances: dict[Any, Instance] = {}
        self.declared: dict[str, str] = {}
        self.random = self.wide = False
        self.guesses: list[Span] = []
        self._draws: dict[int, bool] = {}
        self._names: dict[int, set[str]] = {}
        self._counters: dict[int, list[str]] = {}

    # --- names ---

    def is_builtin(self, name: str) -> bool:
        """True when ``name`` means the builtin of that name here."""
        entry = self.interpreter.builtin(name)
        return entry is not None and self.interpreter.find(self.unit, name) is entry

    def local_function(self, name: str) -> ast.FunctionDef | None:
        """The function of the same file that ``name`` means."""
        return self.unit.nodes.get(name) if name in self.unit.local else None

    def line_of(self, span: Span) -> int:
        """The source line where ``span`` begins."""
        return self.unit.source.line_of(span.start)

    def counters(self, body: tuple[ast.Statement, ...]) -> list[str]:
        """Counters of the loops in ``body``."""
        key = id(body)
        if key not in self._counters:
            self._counters[key] = [
                n.target.id
                for n in walk_body(body)
                if isinstance(n, ast.For) and isinstance(n.target, ast.Name)
            ]
        return self._counters[key]

    def assigns(self, body: tuple[ast.Statement, ...], name: str) -> bool:
        """True when ``body`` may assign ``name``."""
        key = id(body)
        if key not in self._names:
            self._names[key] = names_of_script(body).assigned
        return name in self._names[key]

    def instance(
        self, node: ast.FunctionDef, types: tuple[Type | None, ...], outputs: int, span: Span
    ) -> Instance:
        """A function of the file compiled for these types."""
        return self.compile_function(self, node, types, outputs, span)

    # --- guesses ---

    def is_matrix(self, span: Span) -> bool:
        """Whether an operand whose type does not tell has been a matrix of several rows."""
        return self.was_wrong(span)

    def was_wrong(self, span: Span) -> bool:
        """Whether what was guessed of an expression turned out to be wrong."""
        return span in self.unit.wrong_guesses

    def require_guess(self, out: Builder, test: str, span: Span) -> None:
        """Go on when a guess of an expression is right; leaving otherwise is learned from."""
        self.guesses.append(span)
        onward, other = out.label("right"), out.label("wrong")
        out.branch(test, onward, other, likely=True)
        if out.lines and out.lines[-1].startswith("  br i1"):
            out.start(other)
            out.emit(f"store i64 {len(self.guesses)}, ptr {self.word(out, WRONG)}")
            out.jump(out.exit())
            out.start(onward)

    # --- random numbers ---

    def draws(self, node: ast.Node) -> bool:
        """True when running ``node`` may draw random numbers."""
        key = id(node)
        if key not in self._draws:
            names = (n.id for n in walk_body((node,)) if isinstance(n, ast.Name))
            self._draws[key] = any(n in _RANDOM or n in self.unit.local for n in names)
        return self._draws[key]

    def offset(self, out: Builder) -> str:
        """The stream's offset."""
        return out.op(f"load i64, ptr {self.word(out, OFFSET)}")

    def word(self, out: Builder, index: int) -> str:
        """The place of a word of the state."""
        return out.op(f"getelementptr i64, ptr %s, i64 {index}")

    def load_scalar(self, out: Builder, kind: str, index: int) -> str:
        """A scalar of an LLVM type out of the word it travels in."""
        place = self.word(out, index)
        if kind in _WORDS:
            return out.op(f"load {kind}, ptr {place}")
        wide, how = ("double", "fptrunc") if kind == "float" else ("i64", "trunc")
        return out.op(f"{how} {wide} {out.op(f'load {wide}, ptr {place}')} to {kind}")

    def store_scalar(
        self, out: Builder, kind: str, text: str, index: int, signed: bool = False
    ) -> None:
        """Put a scalar into the word it travels in."""
        place, wide = self.word(out, index), kind
        if kind not in _WORDS:
            how = "fpext" if kind == "float" else "sext" if signed else "zext"
            wide = "double" if kind == "float" else "i64"
            text = out.op(f"{how} {kind} {text} to {wide}")
        out.emit(f"store {wide} {text}, ptr {place}")

    def random_numbers(self, out: Builder, kind: str, count: str) -> Callable[[str], str]:
        """Draw the next ``count`` numbers, ``uniform`` or ``normal``; gives the k-th of them."""
        from app.engine.jit.builder import Refused
        from app.engine.values.random_stream import stream_of

        if stream_of(self.interpreter.context).generator != "philox":
            raise Refused("random numbers of another generator")
        self.random = True
        key = out.op(f"load i64, ptr {self.word(out, KEY)}")
        place = self.word(out, OFFSET)
        offset = out.op(f"load i64, ptr {place}")
        blocks = "4"
        if count != "1":  # the stream goes on at a multiple of four
            blocks = out.op(f"and i64 {out.op(f'add i64 {count}, 3')}, -4")
        out.emit(f"store i64 {out.op(f'add i64 {offset}, {blocks}')}, ptr {place}")

        def draw(k: str) -> str:
            at = offset if k == "0" else out.op(f"add i64 {offset}, {k}")
            return out.call("double", f"fuselab_{kind}", ("i64", key), ("i64", at))

        return draw

    def begin_substream(self, out: Builder, counter: Val) -> None:
        """The numbers of a pass of a parfor begin (see `RandomStream.enter_pass`)."""
        self.random = True
        whole = out.op(f"fptosi double {counter.text} to i64")
        kept = out.op(f"and i64 {whole}, {PASSES - 1}")
        place = self.word(out, OFFSET)
        out.emit(f"store i64 {out.op(f'shl i64 {kept}, {PASS_BITS}')}, ptr {place}")

    # --- interruption ---

    def ask(self, out: Builder) -> str:
        """Look up: zero to go on."""
        asked = out.op(f"load ptr, ptr {self.word(out, ASK)}")
        return out.op(f"call i32 {asked}()")
