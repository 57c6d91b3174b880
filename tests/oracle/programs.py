"""Strategies for small programs: indexing, assignment, deletion, expansion, strings, cells.

The programs stay where Octave and MATLAB agree: no text of errors, no display, no integer division
by integer matrices of other classes; what is compared is every variable at the end, or that the
program fails. ``magic(2)`` differs by documentation; diagonal matrices are a class of Octave's.
"""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("a", "b", "c")

_whole = st.integers(-3, 9).map(str)
_number = st.one_of(
    _whole,
    st.sampled_from(["0.5", "-1.5", "2.25", "NaN", "Inf", "-Inf", "1e3", "0", "1i", "2-3i"]),
)
_size = st.integers(0, 4)


def _row(cell: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(cell, min_size=0, max_size=4).map(lambda v: "[" + " ".join(v) + "]")


@st.composite
def _matrix(draw: st.DrawFn) -> str:
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    body = "; ".join(" ".join(draw(_number) for _ in range(columns)) for _ in range(rows))
    return f"[{body}]"


_made = st.one_of(
    st.builds("zeros({},{})".format, _size, _size),
    st.builds("ones({},{},2)".format, st.integers(0, 3), st.integers(0, 3)),
    st.builds("reshape(1:{}, [], 1)".format, st.integers(0, 6)),
    st.builds("magic({})".format, st.sampled_from([1, 3, 4])),
    st.builds("{}:{}".format, st.integers(-2, 4), st.integers(-2, 6)),
    st.builds(
        "{}:{}:{}".format, st.integers(-2, 4), st.sampled_from([-2, -1, 0.5, 2]), st.integers(-2, 6)
    ),
    st.builds("full(eye({},{}))".format, st.integers(0, 3), st.integers(0, 3)),
)
_class = st.sampled_from(["int8", "uint8", "int32", "single", "logical", "double", "char"])
_cast = st.builds("{}({})".format, _class, st.builds("abs({})".format, _row(_whole)))
_text = st.sampled_from(["''", "'a'", "'hello'", "['ab';'cd']", "'x y  z'", "'12,3'"])


@st.composite
def _cell(draw: st.DrawFn) -> str:
    items = draw(st.lists(st.one_of(_number, _text, _row(_whole)), min_size=0, max_size=4))
    return "{" + ", ".join(items) + "}"


value = st.one_of(_number, _row(_number), _matrix(), _made, _cast, _text, _cell())
_name = st.sampled_from(NAMES)

_subscript = st.one_of(
    st.integers(0, 5).map(str),
    st.sampled_from(
        [
            ":",
            "end",
            "end-1",
            "end+1",
            "[1 1]",
            "[]",
            "2:3",
            "[2 1]",
            "end:-1:1",
            "true",
            "logical([1 0 1])",
            "1.5",
            "[1;2]",
            "1:2:4",
        ]
    ),
)
_subscripts = st.lists(_subscript, min_size=1, max_size=3).map(", ".join)

_unary = st.sampled_from(
    [
        "-{}",
        "{}'",
        "{}.'",
        "~{}",
        "abs({})",
        "sum({})",
        "prod({})",
        "max({})",
        "min({})",
        "any({})",
        "all({})",
        "cumsum({})",
        "sort({})",
        "unique({})",
        "find({})",
        "numel({})",
        "size({})",
        "isempty({})",
        "fliplr({})",
        "flipud({})",
        "mean({})",
        "diff({})",
        "floor({})",
        "round({})",
        "double({})",
        "upper({})",
        "strtrim({})",
        "num2cell({})",
        "iscell({})",
        "ischar({})",
        "length({})",
        "ndims({})",
        "isnumeric({})",
        "squeeze({})",
        "any(isnan({}(:)))",
        "cellfun(@numel, {})",
        "cellfun('isempty', {})",
        "sign({})",
        "fix({})",
        "isreal({})",
        "tril({})",
        "triu({})",
        "diag({})",
        "circshift({}, 1)",
        "isvector({})",
        "numel(find({}))",
        "nnz({})",
        "cumprod({})",
        "strrep({}, 'a', 'bb')",
        "strcmp({}, 'a')",
        "fliplr(sort({}))",
        "mod({}, 3)",
        "rem({}, 3)",
        "repmat({}, 1, 2)",
        "repmat({}, 2, 1)",
        "reshape({}, 1, [])",
        "permute({}, [2 1 3])",
        "cat(3, {0}, {0})",
        "isscalar({})",
        "isrow({})",
        "ismatrix({})",
        "islogical({})",
        "sum({}, 2)",
        "max({}, [], 2)",
        "kron({0}, [1 2])",
        "cross({0}, {0})",
        "dot({0}, {0})",
        "isequal({0}, {0})",
        "accumarray([1;2;1], 3)",
        "strsplit({}, ',')",
        "regexprep({}, 'l+', 'L')",
        "lower({})",
        "fieldnames({})",
        "isfield({}, 'p')",
        "class({})",
        "isa({}, 'float')",
        "std({})",
        "var({})",
        "median({})",
        "mode({})",
        "ismember(2, {})",
        "histc({}, 1:3)",
        "[{0} {0}]",
        "[{0}; {0}]",
        "{{{0}}}",
        "[{0}, 1]",
        "[{0}; 1]",
        "[{0} 'x']",
    ]
)
_binary = st.sampled_from(
    ["+", "-", ".*", "./", ".^", "==", "~=", "<", ">=", "&", "|", "*", "\\", "/"][:12]
)


@st.composite
def _expression(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return str(draw(value))
    if kind == 1:
        return draw(_unary).format(draw(_name))
    if kind == 2:
        return f"{draw(_name)} {draw(_binary)} {draw(st.one_of(_name, _number, _row(_whole)))}"
    if kind == 3:
        return f"{draw(_name)}({draw(_subscripts)})"
    if kind == 4:
        return f"{draw(_name)}{{{draw(_subscript)}}}"
    return f"{draw(_unary).format(draw(_name))}"


@st.composite
def _statement(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 6))
    name = draw(_name)
    if kind <= 2:
        return f"{name} = {draw(_expression())};"
    if kind == 3:
        return f"{name}({draw(_subscripts)}) = {draw(st.one_of(_number, _name, value))};"
    if kind == 4:
        return f"{name}({draw(_subscripts)}) = [];"
    if kind == 5:
        return f"{name}{{{draw(_subscript)}}} = {draw(st.one_of(_name, value))};"
    return f"{name} = {draw(_name)};"


@st.composite
def program(draw: st.DrawFn) -> tuple[str, ...]:
    """Statements that first set every variable."""
    start = [f"{name} = {draw(value)};" for name in NAMES]
    return (*start, *draw(st.lists(_statement(), min_size=1, max_size=4)))
