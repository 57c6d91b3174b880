"""When loops are compiled."""

from __future__ import annotations

from app.native import THOROUGH


class Policy:
    """Thresholds, measured; tests change them.

    Attributes:
        eager: compile every loop at once and wait for it.
        passes: passes in the interpreter before that.
        spent_s: a loop that has run so long in the interpreter is compiled.
        left_s: or one that would still run so long.
        inner: so much more for a loop inside another, which may be compiled as a whole.
        first: so much more while the compiler is not loaded, which takes 70 ms of the processor.
        entry_s: machine code is entered for at least so much work of the interpreter.
        exits: how often code may be left early before that is held against it.
        exit_s: time in the machine code of a function that makes up for leaving it.
        better_s: code that has run so long is made again, better.
        large: elements of an array from which vectors pay from the beginning.
        level: how much is optimised where every loop is compiled at once.
    """

    eager = False
    passes = 0
    spent_s = 0.008
    left_s = 0.012
    inner = 10.0
    first = 4.0
    entry_s = 25e-6
    exits = 6
    exit_s = 300e-6
    better_s = 0.03
    large = 1000
    level = THOROUGH
