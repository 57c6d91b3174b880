"""Programs whose values stand where nobody expects them: as fields, keys, subscripts, conditions.

`PLACES` are statements of the language with holes; each hole gets a value of `tests.fuzz.calls` or
`tests.fuzz.arguments`, at times packed into cells, structs and handles, a few deep or a great many.
What must not happen is said in `tests.fuzz.calls`.

``python -m tests.fuzz.places [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import random
import re
import sys

from tests.fuzz.arguments import MORE
from tests.fuzz.calls import KINDS, Campaign, campaign

_OPERATORS = (
    *("+", "-", "*", ".*", "/", "./", "\\", ".\\", "^", ".^", "==", "~=", "<", ">=", "&", "|"),
    *("&&", "||", ":"),
)
PLACES = (
    *("x = ?;", "y = ?;", "x", "y", "x(?) = ?;", "x(?, ?) = ?;", "x(?) = [];", "x{?} = ?;", "x{?}"),
    *("x(?)", "x(?, ?)", "x(end + 1) = ?;", "x(end) = [];", "x(:) = ?;", "x{end + 1} = ?;", "x(:)"),
    *(
        "x.a = ?;",
        "x.(?) = ?;",
        "x.a",
        "x.(?)",
        "x(?).a = ?;",
        "x(2).a.b(3).c = ?;",
        "x{2}.b(3) = ?;",
    ),
    *("x.a{3}(2).b = ?;", "[x.a] = deal(?);", "x = rmfield(x, ?);", "x = [x; ?];", "x = [x, ?];"),
    *("[a, b, c] = size(x);", "[a, b] = deal(x, ?);", "[a, ~, c] = x{:};", "[x(1:2).a] = y{:};"),
    *(
        "x = {x, ?};",
        "x = {x; y};",
        "x = [?; ?];",
        "x = [? ?; ? ?];",
        "x = [x y];",
        "x = x';",
        "x = -x;",
    ),
    *("x = ~x;", "x = ?:?;", "x = ?:?:?;", "x += ?;", "if x, y = 1; end", "while ?, break, end"),
    *("for k = x, y = k; end", "for k = ?, x(end + 1) = k; end", "switch x, case y, case ?, end"),
    *("switch ?, case {?, ?}, x = 1; otherwise, y = 2; end", "x = containers.Map(?, ?);"),
    *(
        "x = containers.Map; x(?) = ?;",
        "x = containers.Map('KeyType', 'double', 'ValueType', 'any');",
    ),
    *(
        "keys(x), values(x)",
        "x = dictionary(?, ?);",
        "x = dictionary; x(?) = ?;",
        "x = table(?, ?);",
    ),
    *("x = table(?); x.(?) = ?;", "x(?, :) = [];", "x(:, ?) = ?;", "x{?, ?}", "x = sortrows(x);"),
    *("x.Properties.VariableNames = ?;", "x = join(x, y);", "x = [table(?, ?); table(?, ?)];"),
    *(
        "f = @(a, varargin) x; y = f(?);",
        "f = @(a) a(?); y = f(x);",
        "x = @() ?; y = x();",
        "y = x(?);",
    ),
    *(
        "y = cellfun(?, x);",
        "y = cellfun(@(a) ?, x, 'UniformOutput', false);",
        "y = arrayfun(@(a) a, x);",
    ),
    *(
        "y = structfun(@(a) ?, x);",
        "y = feval(?, ?);",
        "y = eval(?);",
        "error(?)",
        "fprintf(?, ?);",
    ),
    *("try, error(?, ?), catch e, x = e.message; y = e; end", "try, x(?), catch, y = ?; end"),
    *(
        "y = sprintf(?, ?);",
        "disp(x)",
        "display(x)",
        "y = num2str(x);",
        "y = string(x);",
        "y = char(x);",
    ),
    *(
        "y = double(x);",
        "y = cell2mat(x);",
        "y = num2cell(x);",
        "y = struct2cell(x);",
        "y = struct('a', x);",
    ),
    *(
        "y = isequal(x, ?);",
        "y = cellfun(@isempty, x);",
        "y = strcat(x, ?);",
        "y = strsplit(x, ?);",
    ),
    *(
        "y = jsonencode(x); z = jsondecode(y);",
        "global g, g = x; clear g",
        "clear x",
        "whos",
        "y = x;",
    ),
    *("persistent p", "y = numel(x) + ndims(x) + length(x);", "y = class(x); z = feval(y, ?);"),
    *(
        "save('r.mat', 'x'); r = load('r.mat'); y = isequaln(r.x, x);",
        "y = unique(x);",
        "y = sort(x);",
    ),
    *(
        "parfor k = 1:3, z(k) = ?; end",
        "y = nested(x, ?);",
        "[y, z] = nested(x);",
        "y = inputname(1);",
    ),
    *(
        "x = repmat(x, ?, ?);",
        "x = reshape(x, ?);",
        "x = cat(?, x, ?);",
        "x = squeeze(x(1, :, ?));",
    ),
    *("x(logical(?)) = ?;", "x(x > ?) = ?;", "x(?, end, ?) = ?;", "y = x(?, :, end);", "y = x.';"),
    *(
        "y = gather(gpuArray(x)) + ?;",
        "y = sum(x) + mean(?);",
        "y = any(x) || all(?);",
        "y = x{:};",
    ),
    *(
        "y = @(varargin) numel(varargin); y(x{:})",
        "z = {}; z{?}(?) = ?;",
        "z.a(?).b{?} = ?;",
        "z = []; z(?).q = ?;",
    ),
)
"""Statements with holes."""
_CAUGHT = (
    "catch e_, if strcmp(e_.identifier, 'Fuselab:internal'), rethrow(e_), end, "
    "said_{end + 1} = e_.message; end"
)
_SAID = "if ~isempty(said_), error('places:said', '%s', strjoin(said_, newline)), end"
_NESTED = """
function varargout = nested(a, varargin)
for k = 1:max(1, nargout), varargout{k} = {a, varargin}; end
end
"""
_PACKED = (
    "{?}",
    "{{?}, ?}",
    "struct('a', {?, ?})",
    "struct('a', {{?}})",
    "@() ?",
    "(?)",
    "[?]",
    "?(1)",
    "{?; ?}",
)
_DEEP = (
    ("{", "}"),
    ("[", "]"),
    ("(", ")"),
    ("struct('a', ", ")"),
    ("@() ", ""),
    ("-", ""),
    ("~", ""),
)
MOST_DEEP = 400


def value(choose: random.Random) -> str:
    """A value, at times within others."""
    text = choose.choice(choose.choice((*KINDS, MORE)))
    match choose.randrange(20):
        case 0 | 1 | 2:
            text = filled(choose.choice(_PACKED), choose)
        case 3:
            before, behind = choose.choice(_DEEP)
            many = choose.choice((2, 3, 10, 60, MOST_DEEP))
            text = before * many + text + behind * many
        case 4:
            text = f"({filled('?', choose)} {choose.choice(_OPERATORS)} {text})"
        case 5 | 6 | 7:
            text = choose.choice(("x", "y", "x(1)", "x{1}", "y(end)", "numel(x)"))
    return text


def filled(statement: str, choose: random.Random) -> str:
    """A statement with values in its holes."""
    return re.sub(r"\?", lambda _: value(choose), statement)


class Places(Campaign):
    """Sessions with a few statements each; an error in one is caught, so the next one runs."""

    def code(self, choose: random.Random) -> str:
        """Some statements about two variables."""
        lines = [filled(start, choose) for start in ("x = ?;", "y = ?;")]
        lines += [filled(choose.choice(PLACES), choose) for _ in range(choose.randrange(1, 6))]
        tried = "\n".join(f"try\n{line}\n{_CAUGHT}" for line in lines)
        return f"said_ = {{}};\n{tried}\n{_SAID}{_NESTED}"


if __name__ == "__main__":
    sys.exit(campaign("places", Places(), sys.argv[1:]))
