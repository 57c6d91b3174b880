"""Machine code looks up now and then: it reads a byte and, when that is set, asks here."""

from __future__ import annotations

import ctypes
from collections.abc import Set
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, proxy

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.jit.machine_code import MachineCode

GO_ON, LEAVE = 0, 1


class Question:
    """What machine code of an interpreter asks.

    Attributes:
        flag: the address of the byte to read.
        address: the address of the function to call then.
        problem: what the user's answer raised: an interruption.
        code: what is running, which is left once there is better code; None where it may not be.
        files: whose lines it holds, which is left once one of them is debugged.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self._byte = interpreter.stop_flag.byte
        self.flag = ctypes.addressof(self._byte)
        self.problem: BaseException | None = None
        self.code: MachineCode | None = None
        self.files: Set[str] = frozenset()
        self._interpreter: Interpreter = proxy(interpreter)
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32)(self._answer)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _answer(self) -> int:
        """Look up; nonzero to leave machine code."""
        self._byte.value = 0
        try:
            self._interpreter.interrupted()
        except BaseException as problem:  # raised again by who entered machine code
            self.problem = problem
            return LEAVE
        if self.code is not None and self.code.is_outdated():
            return LEAVE
        return LEAVE if any(map(self._interpreter.debugger.looks_at, self.files)) else GO_ON


_questions: WeakKeyDictionary[Interpreter, Question] = WeakKeyDictionary()


def question_of(interpreter: Interpreter) -> Question:
    """The interpreter's question, made once."""
    found = _questions.get(interpreter)
    if found is None:
        found = _questions[interpreter] = Question(interpreter)
    return found
