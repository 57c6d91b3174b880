"""The names generated code uses: every ``@name`` and what it stands for."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter import argument_checks
from app.engine.interpreter.arity import call_with_defaults
from app.engine.interpreter.frames import LinkedVariables
from app.engine.interpreter.indexing import (
    block_parts,
    element_fields,
    index_assign,
    index_chains,
    index_delete,
    vector_parts,
)
from app.engine.interpreter.indexing import index_read as indexing
from app.engine.interpreter.indexing.index_read import CommaList
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.interpreter.loops import iteration as loops
from app.engine.interpreter.tracing import use_kept
from app.engine.operators import arithmetic, operators
from app.engine.operators.concatenation import (
    DOUBLES,
    arrays_of_one_class,
    blocks_of_one_class,
    concatenate,
    line_of,
)
from app.engine.operators.joined_text import joined_text
from app.engine.operators.number_text import char_rows
from app.engine.values import (
    EMPTY,
    Cell,
    CharArray,
    FunctionHandle,
    NativeObject,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Value,
    canonical,
    column_major,
    float_of,
    is_char,
    numel,
    texts_of,
    true_value,
)
from app.errors import MatlabError, concatenation_error

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter


def row(*items: Value) -> Value:
    """``[a, b, c]``."""
    kinds = set(map(type, items))
    if len(kinds) == 1:
        (kind,) = kinds
        if kind is float:
            return np.array([items]) if len(items) > 1 else items[0]
        if kind is str:
            return joined_text(items)  # type: ignore[arg-type]  # all were seen to be texts
        if kind is np.ndarray:
            made = arrays_of_one_class(1, items)  # type: ignore[arg-type]  # all were seen to be arrays
            if made is not None:
                return made
    if len(items) > 1:
        if kinds <= _NUMBERS:
            return canonical(np.array([items]))
        line = line_of(1, items) if kinds <= DOUBLES else None
        if line is not None:
            return line
    if len(items) == 1 and not isinstance(items[0], CommaList):
        return _single_item(items[0])
    return concatenate(1, items)


_NUMBERS = frozenset((float, complex))
"""Types of Python that NumPy joins to a complex array by itself."""

_MATRICES = frozenset((float, np.ndarray, SparseMatrix))
"""Types of which one value is a row."""


def _single_item(item: Value) -> Value:
    """``[x]`` is x itself, except that objects may overload concatenation."""
    if isinstance(item, NativeObject | ObjectValue):
        return concatenate(1, (item,))
    return item


def column(*rows: Value) -> Value:
    """``[a; b; c]``."""
    return rows[0] if len(rows) == 1 else concatenate(0, rows)


def _is_flat_text(v: Value) -> bool:
    return is_char(v) and not (isinstance(v, CharArray) and len(v.shape) > 2)


def padded_column(*rows: Value) -> Value:
    """``['a'; 'bcd']`` in Octave: texts of different lengths are filled with blanks."""
    if set(map(type, rows)) == {str} and len(set(map(len, rows))) == 1:  # type: ignore[arg-type]
        return column(*rows)
    if is_char(rows[0]) and all(map(_is_flat_text, rows)):
        texts = [t for r in rows if numel(r) for t in texts_of(r)]
        if len(set(map(len, texts))) > 1:
            return char_rows(texts)
    return column(*rows)


def even_rows(join: Callable[..., Value], columns: int, *items: Value) -> Value:
    """``[a, b; c, d]`` with so many values in every row; ``join`` puts rows below each other."""
    rows = [items[k : k + columns] for k in range(0, len(items), columns)]
    kinds = set(map(type, items))
    if kinds == {float}:
        return np.array(rows, order="F")
    if kinds <= _NUMBERS:
        return canonical(np.array(rows, order="F"))
    if columns == 1 and kinds <= _MATRICES:
        line = line_of(0, items) if kinds == DOUBLES else None
        return join(*items) if line is None else line
    if kinds <= DOUBLES:
        made = blocks_of_one_class(rows)  # type: ignore[arg-type]  # all were seen to be doubles
        if made is not None:
            return made
    return join(*[row(*values) for values in rows])


def cell_row(*items: Value) -> Cell:
    """``{a, b, c}``."""
    if not items:
        return Cell.empty()
    data = np.empty((1, len(items)), dtype=object)
    for k, item in enumerate(items):
        data[0, k] = item
    return Cell(data)


def cell_column(*rows: Cell) -> Cell:
    """``{a, b; c, d}``."""
    kept = [r.data for r in rows if r.data.size]
    if not kept:
        return Cell.empty()
    if len({d.shape[1] for d in kept}) > 1:
        raise concatenation_error()
    return Cell(np.asfortranarray(np.concatenate(kept, axis=0)))


def scalar_truth(v: Value) -> bool:
    """An operand of ``&&`` or ``||``: a scalar that converts to logical."""
    if numel(v) == 1:
        return true_value(v)
    text = (
        "Operands to the logical AND (&&) and OR (||) operators must be convertible to logical "
        "scalar values. Use the ANY or ALL functions to reduce operands to logical scalar "
        "values."
    )
    raise MatlabError("MATLAB:nonLogicalConditional", text)


def decided(v: Value) -> Value:
    """The left operand of ``&`` or ``|`` under ``if``: a number's truth, others as they are."""
    if type(v) is float:
        return v if math.isnan(v) else v != 0
    if isinstance(v, np.ndarray) and v.size == 1:
        return true_value(v)
    return v


def all_true(v: Value) -> bool:
    """An operand of Octave's ``&&`` or ``||``: arrays are true where all elements are."""
    return numel(v) > 0 and true_value(v)


def case(subject: Value, label: Value) -> bool:
    """Does ``label`` (or one of a cell) match the subject of a ``switch``, one value or a text?"""
    if type(subject) is Cell or (type(subject) is not str and numel(subject) > 1):
        text = "SWITCH expression must be a scalar or a character vector."
        raise MatlabError("MATLAB:badSwitchExpression", text)
    return any_case(subject, label)


def any_case(subject: Value, label: Value) -> bool:
    """Does ``label`` match the subject of Octave's ``switch``, which may be any array?"""
    if type(label) is Cell:
        return any(any_case(subject, item) for item in label.data.ravel(order="F"))
    if _compares(subject) or (_compares(label) and isinstance(subject, str | StringArray)):
        return true_value(operators.eq(subject, label))
    if type(subject) is str or type(subject) is StringArray:
        return isinstance(label, str | StringArray) and _text(subject) == _text(label)
    if type(label) is str or type(label) is StringArray:
        return hasattr(subject, "accept") and true_value(operators.eq(subject, label))
    if isinstance(subject, ObjectValue | NativeObject):
        return true_value(operators.eq(subject, label))
    if numel(subject) == 0 or numel(label) == 0:
        return numel(subject) == numel(label) == 0
    if isinstance(label, FunctionHandle) or isinstance(subject, FunctionHandle):
        return subject is label
    return true_value(operators.eq(subject, label))


def _compares(v: Value) -> bool:
    """Whether a value is an object that ``==`` compares with others, texts among them."""
    info = v.class_info if isinstance(v, ObjectValue) else None
    return info is not None and bool(info.enumeration or info.find_method("eq"))


def _text(v: str | StringArray) -> str | None:
    if isinstance(v, StringArray):
        return v.data.reshape(-1)[0] if v.data.size == 1 else None
    return v


def divide_zero(a: float, _b: float) -> float:
    """``a / 0``."""
    return arithmetic.scalar_divide(a, _b)


def float_power(a: float, n: float) -> float:
    """``a ^ n`` for a whole number n."""
    try:
        return a**n  # type: ignore[no-any-return]
    except OverflowError:
        return -np.inf if a < 0 and n % 2 else np.inf
    except ZeroDivisionError:
        return float_of(arithmetic.scalar_power(a, n))


def varargin(rest: tuple[Value, ...]) -> Cell:
    """Surplus arguments as ``varargin``."""
    return cell_row(*rest) if rest else Cell.empty()


def count_given(fixed: tuple[Value | None, ...], rest: tuple[Value, ...]) -> float:
    """``nargin``: how many arguments were given."""
    if rest:
        return float(len(fixed) + len(rest))
    count = len(fixed)
    while count and fixed[count - 1] is None:
        count -= 1
    return float(count)


def stray_jump(word: str) -> None:
    """Raise the error for a jump that has no loop."""
    remedy = "; 'return' leaves a function or a script" if word == "break" else ""
    raise MatlabError("MATLAB:jumpOutsideLoop", f"'{word}' works only inside a loop{remedy}.")


_WRONG_CALL = "Octave:invalid-fun-call"


def too_many_inputs(name: str) -> None:
    """Raise the error for surplus arguments."""
    error = MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
    name = "@<anonymous>" if name.startswith("@") else name
    raise error.as_in_octave(_WRONG_CALL, f"{name}: function called with too many inputs")


def too_many_outputs(name: str) -> None:
    """Raise the error for surplus outputs."""
    error = MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")
    raise error.as_in_octave(_WRONG_CALL, f"{name}: function called with too many outputs")


def missing_input(name: str) -> Value:
    """Raise the error for reading an argument that was not given."""
    error = MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    raise error.as_in_octave("Octave:undefined-function", f"'{name}' undefined")


def unassigned(name: str, function: str, nargout: int) -> None:
    """An output that was never set: an error when it was asked for."""
    if nargout >= 1:
        raise _unset_output(name, function)


def _unset_output(name: str, function: str) -> MatlabError:
    text = (
        f'Output argument "{name}" (and possibly others) not assigned a value in the execution '
        f'with "{function}" function.'
    )
    return MatlabError("MATLAB:unassignedOutputs", text)


def outputs(
    nargout: int, values: tuple[Value | None, ...], names: tuple[str, ...], function: str
) -> tuple[Value, ...]:
    """The first ``nargout`` outputs, all set."""
    wanted = values[:nargout]
    for name, value in zip(names, wanted, strict=False):
        if value is None:
            raise _unset_output(name, function)
    return wanted


def outputs_and_rest(
    nargout: int,
    values: tuple[Value | None, ...],
    rest: Value | None,
    names: tuple[str, ...],
    function: str,
) -> Value:
    """Outputs of a function that ends in a list of them, ``varargout`` or another's name."""
    more = tuple(rest.data.ravel(order="F")) if isinstance(rest, Cell) else ()
    given = values + more
    if nargout <= 1:
        first = given[0] if given else None
        if first is None and nargout == 1:
            raise _unset_output(names[0], function)
        return first
    if len(given) < nargout:
        raise _unset_output(names[-1], function)
    return outputs(nargout, given, names, function)


def one_or_many(value: Value, nargout: int) -> Value:
    """What an anonymous function whose body may be a list returns."""
    if type(value) is CommaList:
        return value[0] if nargout <= 1 and value else tuple(value)
    return value


def answer(value: Value) -> Value:
    """What a call as a statement leaves in ``ans``: the first of its results, None without one."""
    return (value[0] if value else None) if type(value) is tuple else value


def leave_answer(interpreter: Interpreter, value: Value) -> None:
    """Do in the base workspace what the prompt does with the value of a call."""
    found = answer(value)
    if found is not None:
        interpreter.base["ans"] = found
        interpreter.show("ans", found)


def share(values: tuple[Value, ...], counts: tuple[int, ...]) -> list[tuple[Value, ...]]:
    """Deal values out to targets that take ``counts``."""
    made, at = [], 0
    for count in counts:
        made.append(values[at : at + count])
        at += count
    return made


def share_one(value: Value, counts: tuple[int, ...]) -> list[tuple[Value, ...]]:
    """One value for targets that must together be one place."""
    if sum(counts) != 1:
        too_many_values(value)
    return share((value,), counts)


def too_many_values(_value: Value) -> tuple[Value, ...]:
    """Raise the error for several targets and one value."""
    text = (
        "Insufficient number of outputs from right hand side of equal sign to satisfy assignment."
    )
    raise MatlabError("MATLAB:needMoreRhsOutputs", text)


def loop_left(way: BaseException | str) -> None:
    """After machine code ended a loop by ``return``, or by an exception: raise that."""
    if isinstance(way, BaseException):
        raise way


def bad_target() -> None:
    """Raise the error for something that cannot be assigned to."""
    raise MatlabError("MATLAB:badAssignment", "Invalid target of an assignment.")


def no_value() -> Value:
    """Raise the error for using a call that returns nothing."""
    raise MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")


def stray_end() -> Value:
    """Raise the error for ``end`` outside an index."""
    text = "The 'end' operator must be used within an array index expression."
    raise MatlabError("MATLAB:endOutsideIndex", text)


def store(where: dict[str, Value] | LinkedVariables, name: str, value: Value) -> Value:
    """Assign inside an expression."""
    where[name] = value
    return value


def declare_persistent(where: dict[str, Value], name: str, initial: Callable[[], Value]) -> None:
    """``persistent name``."""
    if Limits.pure:
        use_kept(where, name, "persistent")
    if name not in where:
        where[name] = initial()


class StopFlag:
    """Set from another thread when running code should stop or look up for a moment.

    Attributes:
        on: what interpreted loops look at.
        byte: the same for machine code.
    """

    __slots__ = ("byte", "on")

    def __init__(self) -> None:
        self.on = False
        self.byte = ctypes.c_uint8(0)

    def set(self) -> None:
        """Have running code look up."""
        self.on = True
        self.byte.value = 1


_OPERATORS = {
    "@plus": "plus",
    "@minus": "minus",
    "@mtimes": "mtimes",
    "@times": "times",
    "@mrdivide": "mrdivide",
    "@rdivide": "rdivide",
    "@mldivide": "mldivide",
    "@ldivide": "ldivide",
    "@mpower": "mpower",
    "@power": "power",
    "@eq": "eq",
    "@ne": "ne",
    "@lt": "lt",
    "@le": "le",
    "@gt": "gt",
    "@ge": "ge",
    "@and": "and_",
    "@or": "or_",
    "@not": "not_",
    "@uminus": "uminus",
    "@uplus": "uplus",
    "@transpose": "transpose",
    "@ctranspose": "ctranspose",
    "@colon": "colon",
}

_SIMPLE: dict[str, Any] = {
    "@type": type,
    "@float": float,
    "@bool": bool,
    "@str": str,
    "@Exception": Exception,
    "@BaseException": BaseException,
    "@len": len,
    "@ord": ord,
    "@sum": sum,
    "@CommaList": CommaList,
    "@column_major": column_major,
    "@:": COLON,
    "@call_with_defaults": call_with_defaults,
    "@empty": EMPTY,
    "@truth": true_value,
    "@decided": decided,
    "@scalar_truth": scalar_truth,
    "@all_true": all_true,
    "@case": case,
    "@any_case": any_case,
    "@row": row,
    "@column": column,
    "@padded_column": padded_column,
    "@even_rows": even_rows,
    "@cell_row": cell_row,
    "@cell_column": cell_column,
    "@divide_zero": divide_zero,
    "@float_power": float_power,
    "@varargin": varargin,
    "@count_given": count_given,
    "@too_many_inputs": too_many_inputs,
    "@too_many_outputs": too_many_outputs,
    "@missing_input": missing_input,
    "@unassigned": unassigned,
    "@outputs": outputs,
    "@outputs_and_rest": outputs_and_rest,
    "@one_or_many": one_or_many,
    "@share": share,
    "@share_one": share_one,
    "@store": store,
    "@too_many_values": too_many_values,
    "@bad_target": bad_target,
    "@no_value": no_value,
    "@loop_left": loop_left,
    "@stray_end": stray_end,
    "@declare_persistent": declare_persistent,
    "@paren1": indexing.paren1,
    "@paren_range": vector_parts.paren_range,
    "@member_range": vector_parts.member_range,
    "@paren_steps": vector_parts.paren_steps,
    "@paren_block": block_parts.paren_block,
    "@set_block": block_parts.set_block,
    "@element_field": element_fields.element_field,
    "@element_field2": element_fields.element_field2,
    "@paren2": indexing.paren2,
    "@paren": indexing.paren,
    "@brace1": indexing.brace1,
    "@brace": indexing.brace,
    "@braces": indexing.braces,
    "@field": indexing.field,
    "@inner_field": indexing.inner_field,
    "@fields": indexing.fields,
    "@member": indexing.member,
    "@field_name": indexing.field_name,
    "@end": indexing.end_of,
    "@first": indexing.first,
    "@take": indexing.take,
    "@as_callable": indexing.as_callable,
    "@set1": index_assign.set1,
    "@set2": index_assign.set2,
    "@set": index_assign.set_args,
    "@set_brace1": index_assign.set_brace1,
    "@set_brace": index_assign.set_brace,
    "@set_field": index_assign.set_field,
    "@assign": index_chains.assign,
    "@delete": index_delete.delete,
    "@delete_in": index_chains.delete_in,
    "@peek": index_chains.peek,
    "@places": index_chains.places,
    "@assign_list": index_chains.assign_list,
    "@count_up": loops.count_up,
    "@count": loops.count,
    "@stray_jump": stray_jump,
    "@columns": loops.columns,
    "@before_loop": loops.before_loop,
    "@pairs": loops.pairs,
    "@endless": repeat(None),
    "@answer": answer,
    "@inner_passes": loops.inner_passes,
}


def table(interpreter: Interpreter) -> Mapping[str, Any]:
    """Every ``@name`` for the units of ``interpreter``."""
    made = {**_SIMPLE, **argument_checks.TABLE}
    made.update({n: getattr(operators, f) for n, f in _OPERATORS.items()})
    made["@globals"] = interpreter.globals
    made["@linked"] = LinkedVariables(interpreter.globals)
    made["@stop"] = interpreter.stop_flag
    bound = (
        "show",
        "answer_list",
        "caught",
        "declare_global",
        "anonymous",
        "function_handle",
        "nested_handle",
        "nargin_of_caller",
        "nargout_of_caller",
        "interrupted",
        "operator_outputs",
    )
    made.update({f"@{n}": getattr(interpreter, n) for n in bound})
    made["@metaclass"] = interpreter.objects.metaclass
    made["@start_object"] = interpreter.objects.start
    made["@super_constructor"] = interpreter.objects.super_constructor
    made["@super_method"] = interpreter.objects.super_method
    made["@parfor"] = partial(_run_parfor, interpreter)
    made["@spmd"] = partial(_run_spmd, interpreter)
    made["@substream"] = partial(_begin_pass, interpreter)
    return made


# What runs loops in parallel is imported by the first of them; few programs have one.


def _run_parfor(*args: Any) -> Any:
    from app.engine.interpreter.loops.parfor_run import run

    return run(*args)


def _run_spmd(*args: Any) -> Any:
    from app.engine.interpreter.loops.spmd_run import run

    return run(*args)


def _begin_pass(*args: Any) -> Any:
    from app.engine.interpreter.loops.parfor_run import begin_pass

    return begin_pass(*args)
