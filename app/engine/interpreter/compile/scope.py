"""How the variables of one function are read and written in the generated code.

A plain function keeps its variables in Python fast locals; nested functions share those of their
parents through closures. Dynamic code keeps them in a dictionary that serves as the Python
``globals`` of its code, so that reading a name costs the same inline-cached look-up.
"""

from __future__ import annotations

from dataclasses import field

from app.engine.interpreter.compile.analysis import Names
from app.records import mutable_record


@mutable_record
class Scope:
    """The variables of one function, script or anonymous function.

    Attributes:
        names: what the analysis found.
        kinds: variables that are always floats (``F``) or bools (``B``).
        functions: nested functions in reach, by name, as Python names.
        inherited: variables of enclosing functions that this nested function shares.
        shared: own variables that nested functions share.
        defined: variables certain to have a value at the place being compiled.
        needs_start: variables that must start as None because something may read them unset.
        known: variables that the workspace had when dynamic code was compiled.
        uncertain: captured names that may be variables or functions.
        barriers: whether calls may change variables that they do not name.
        creates: whether such calls may make variables of names that are functions so far.
        plain_loops: whether loops are neither traced nor compiled.
        counts_arguments: True for a function, where ``nargin`` and ``nargout`` are counts.
        forgotten: how often everything known about variables was given up.
        of_pass: True for a pass of a loop, which no call changes variables of.
        reads_ans: False when nothing reads ``ans``, so that it need not be kept.
    """

    names: Names
    kinds: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    inherited: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    needs_start: set[str] = field(default_factory=set)
    workspace_globals: set[str] = field(default_factory=set)
    known: frozenset[str] = frozenset()
    uncertain: set[str] = field(default_factory=set)
    reads_ans: bool = True
    barriers: bool = False
    creates: bool = False
    plain_loops: bool = False
    counts_arguments: bool = False
    forgotten: int = 0
    of_pass: bool = False

    @property
    def dynamic(self) -> bool:
        """True when variables live in a dictionary."""
        return self.names.dynamic

    def is_variable(self, name: str) -> bool:
        """True when ``name`` can only be a variable or is looked up as one first."""
        return name in self.names.assigned or name in self.inherited or self.is_global(name)

    def owns_end(self, name: str) -> bool:
        """True when an ``end`` in the subscripts of ``name`` measures ``name``."""
        return (self.is_variable(name) and name not in self.uncertain) or name in self.known

    def may_be_variable(self, name: str) -> bool:
        """True when ``name`` may be a variable at run time."""
        counts = self.counts_arguments and name in {"nargin", "nargout"}
        return (self.dynamic and not counts) or self.is_variable(name)

    def is_global(self, name: str) -> bool:
        """True for a variable of the global workspace."""
        return name in self.names.globals or name in self.workspace_globals

    @property
    def shared_variables(self) -> str:
        """What holds the variables of the global workspace, also those that a ``clear`` unlinks."""
        return "@linked" if self.dynamic and self.names.unlinks else "@globals"

    def is_local(self, name: str) -> bool:
        """True for a variable that is neither global nor persistent."""
        return not self.is_global(name) and name not in self.names.persistent

    def certain(self, name: str) -> bool:
        """True when a read of the variable ``name`` here cannot find it unset."""
        return name in self.defined

    def mark_unset(self, name: str) -> None:
        """Note that ``name`` may be read before it has a value."""
        self.needs_start.add(name)

    def define(self, name: str) -> None:
        """``name`` has a value from here on."""
        self.defined.add(name)

    def forget(self) -> None:
        """Something unknown may have changed any variable (dynamic code only)."""
        if self.dynamic:
            self.defined.clear()
            self.forgotten += 1
