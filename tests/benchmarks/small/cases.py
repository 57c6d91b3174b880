"""The rows of the benchmark of small work that are single statements."""

from __future__ import annotations

from tests.benchmarks.small.peers import Case

_PDE = (
    "N = 99; L = eye(N) + 1e-3*(diag(ones(N-1,1),1) - 2*eye(N) + diag(ones(N-1,1),-1));"
    " U = zeros(200, N+2); U(1,:) = sin(linspace(0,3,N+2));"
    " dt = 1e-3; x = linspace(0,1,N)'; f = @(x,t) sin(x)*t;"
)

TABLE = [
    Case(
        "PDE step, 100 points (199 passes)",
        "for j = 2:200, u = L*U(j-1,2:end-1)' + dt*f(x,j*dt); U(j,2:end-1) = u; end",
        _PDE,
        "U",
    ),
    Case(
        "row times small matrix, stored back (200 rows)",
        "for k = 1:200, M(k,:) = M(k,:)*R; end",
        "t = 0.3; R = [cos(t) -sin(t) 0; sin(t) cos(t) 0; 0 0 1]; M = reshape(1:600,200,3);",
        "sum(M(:).^2)>0",
    ),
    Case("c{1}(1:2:end,1:2:end)", "y = c{1}(1:2:end,1:2:end);", "c = {reshape(1:576,24,24)};"),
    Case(
        "convn(28x28x5, 24x24x5, valid)",
        "y = convn(A, B, 'valid');",
        "A = mod(reshape(1:3920,28,28,5)*7,11); B = mod(reshape(1:2880,24,24,5)*5,13);",
    ),
    Case(
        "convn(28x28x5, 5x5, valid)",
        "y = convn(A, B, 'valid');",
        "A = mod(reshape(1:3920,28,28,5)*7,11); B = mod(reshape(1:25,5,5)*5,13);",
    ),
    Case(
        "conv2(28x28, 24x24, valid)", "y = conv2(A, B, 'valid');", "A = magic(28); B = magic(24);"
    ),
    Case("conv2(28x28, 5x5, valid)", "y = conv2(A, B, 'valid');", "A = magic(28); B = magic(5);"),
    Case(
        "conv2(200x200, 31x31, same)",
        "y = conv2(A, B, 'same'); z = y(end);",
        "A = magic(200); B = magic(31);",
    ),
    Case("conv(1000, 20)", "y = conv(a, b);", "a = mod((1:1000)*7,11); b = 1:20;"),
    Case("eig complex 99", "y = sort(abs(eig(A)));", "A = magic(99)/99 + 1i*(magic(99)'/50);"),
    Case("norm([k 2 3])", "y = norm([bench_k 2 3]);", result="1"),
    Case("unique of 200", "y = unique(x);", "x = mod((1:200)*37, 101);"),
    Case("eig 99", "y = sort(abs(eig(A)));", "A = magic(99)/99;"),
    Case("qr 99", "[q, r] = qr(A); y = abs(r(1));", "A = magic(99)/99;"),
    Case("svd 99", "y = svd(A);", "A = magic(99)/99 + eye(99);"),
    Case("det 3", "y = det(A);", "A = magic(3);"),
    Case("A\\b 50", "y = A\\b;", "A = magic(50)/99 + eye(50); b = (1:50)';"),
    Case("sum(b(b>0.5)) 1e6", "y = sum(b(b>0.5));", "b = mod((1:1e6)*0.618034, 1);"),
    Case("cumsum 1e6", "y = cumsum(b); z = y(end);", "b = mod((1:1e6)*0.618034, 1);"),
    Case("sort 1e6", "y = sort(b); z = y(end);", "b = mod((1:1e6)*0.618034, 1);"),
    Case(
        "y=(1-S.p)*y+S.p*z, 1e5 elements, 20 passes",
        "y = zeros(1e5,1); for i = 1:20, y = (1-S.p)*y + S.p*z; end; s = sum(y); if s < 0, disp(s), end",
        "S.p = 0.25; z = (1:1e5)'/1e5;",
        "y",
    ),
]
"""The table of the requirement."""

SIZES = (1, 10, 100, 1000)
_NUMBERS = "x = mod((1:{n})*37, 101) + 0.5;"
_SQUARE = "A = mod(reshape((1:{n}^2)*7919, {n}, {n}), 101)/7 + eye({n})*{n};"
_WORDS = "c = cell(1,{n}); for k = 1:{n}, c{{k}} = sprintf('w%d', mod(k*37,101)); end; s = strjoin(c, ',');"

FUNCTIONS: dict[str, tuple[str, str]] = {
    **{
        name: (f"y = {name}(x);", _NUMBERS)
        for name in (
            "norm sum prod mean median std var max min sort find unique cumsum cumprod diff fliplr numel "
            "isempty length size ndims abs sqrt floor exp sin round isnan isreal num2str mat2str any all "
            "isrow isvector isnumeric double single int32 logical mode"
        ).split()
    },
    **{
        name: (f"y = {name}(A);", _SQUARE)
        for name in ("inv", "det", "rank", "trace", "transpose", "diag", "expm", "triu")
    },
    "sum(x,2)": ("y = sum(A, 2);", _SQUARE),
    "max index": ("[m, y] = max(x);", _NUMBERS),
    "sort index": ("[m, y] = sort(x, 'descend');", _NUMBERS),
    "unique 3": ("[u, i, y] = unique(x);", _NUMBERS),
    "ismember": ("y = ismember(x, 1:2:99);", _NUMBERS),
    "ismember text": ("y = ismember('w7', c);", _WORDS),
    "intersect": ("y = intersect(x, 0.5:2:99);", _NUMBERS),
    "setdiff": ("y = setdiff(x, 0.5:2:99);", _NUMBERS),
    "accumarray": ("y = accumarray(k, 1);", "k = mod((1:{n})'*37, 11) + 1;"),
    "histc": ("y = histc(x, 0:10:110);", _NUMBERS),
    "interp1": ("y = interp1(1:20, (1:20).^2, q);", "q = mod((1:{n})*0.37, 18) + 1;"),
    "polyfit": ("y = polyfit(1:numel(x)+3, [x 1 2 3], 2);", _NUMBERS),
    "polyval": ("y = polyval([1 2 3], x);", _NUMBERS),
    "linspace": ("y = linspace(0, 1, {n});", ""),
    "zeros": ("y = zeros(1, {n});", ""),
    "repmat": ("y = repmat(x, 2, 3);", _NUMBERS),
    "reshape": ("y = reshape(x, [], 1);", _NUMBERS),
    "cat": ("y = [x, x; x, x];", _NUMBERS),
    "index": ("y = x(end:-1:1);", _NUMBERS),
    "mask": ("y = x(x > 50);", _NUMBERS),
    "delete": ("y = x; y(1) = [];", _NUMBERS),
    "mod": ("y = mod(x, 7);", _NUMBERS),
    "bitand": ("y = bitand(floor(x), 7);", _NUMBERS),
    "A*x": ("y = A*x;", _SQUARE + " x = (1:{n})';"),
    "A*A": ("y = A*A;", _SQUARE),
    "A\\x": ("y = A\\x;", _SQUARE + " x = (1:{n})';"),
    "eig": ("y = sort(abs(eig(A)));", _SQUARE),
    "lu": ("[l, y, p] = lu(A);", _SQUARE),
    "qr": ("[q, r] = qr(A); y = abs(r);", _SQUARE),
    "chol": ("y = chol(A'*A);", _SQUARE),
    "svd": ("y = svd(A);", _SQUARE),
    "kron": ("y = kron([1 2; 3 4], x);", _NUMBERS),
    "dot": ("y = dot(x, x);", _NUMBERS),
    "cross": ("y = cross(A, B);", "A = mod(reshape(1:3*{n},3,{n})*7,11); B = A + 1;"),
    "trapz": ("y = trapz(x);", _NUMBERS),
    "meshgrid": ("[y, z] = meshgrid(x(1:min(end,50)), 1:10);", _NUMBERS),
    "circshift": ("y = circshift(x, 1);", _NUMBERS),
    "isequal": ("y = isequal(x, x);", _NUMBERS),
    "strcmp": ("y = strcmp(c, 'w7');", _WORDS),
    "strcmp 2": ("y = strcmp(s, s);", _WORDS),
    "sprintf": ("y = sprintf('%d,', k);", "k = 1:{n};"),
    "sprintf %g": ("y = sprintf('%g %s;', 1.5, 'abc');", ""),
    "num2str d": ("y = num2str(bench_k); y = 1;", ""),
    "str2double": ("y = str2double('3.25');", ""),
    "str2double c": (
        "y = str2double(t);",
        "t = cellfun(@(k) sprintf('%d', k), num2cell(1:{n}), 'UniformOutput', false);",
    ),
    "str2num": ("y = str2num('[1 2 3]');", ""),
    "strsplit": ("y = strsplit(s, ',');", _WORDS),
    "strjoin": ("y = strjoin(c, '-');", _WORDS),
    "strrep": ("y = strrep(s, 'w', 'vv');", _WORDS),
    "strtrim": ("y = strtrim(['  ' s '  ']);", _WORDS),
    "upper": ("y = upper(s);", _WORDS),
    "strfind": ("y = strfind(s, 'w1');", _WORDS),
    "regexp": ("y = regexp(s, '\\d+', 'match');", _WORDS),
    "regexp tokens": ("y = regexp(s, '(w)(\\d+)', 'tokens');", _WORDS),
    "regexprep": ("y = regexprep(s, '(\\d)', '<$1>');", _WORDS),
    "strtok": ("[t, y] = strtok(s, ',');", _WORDS),
    "fliplr text": ("y = fliplr(s);", _WORDS),
    "sort text": ("y = sort(c);", _WORDS),
    "unique text": ("y = unique(c);", _WORDS),
    "cellfun": ("y = cellfun(@(z) numel(z) + 1, c);", _WORDS),
    "cellfun name": ("y = cellfun('isempty', c);", _WORDS),
    "cellfun builtin": ("y = cellfun(@numel, c);", _WORDS),
    "cellfun cells": ("y = cellfun(@upper, c, 'UniformOutput', false);", _WORDS),
    "arrayfun": ("y = arrayfun(@(z) z^2 + 1, x);", _NUMBERS),
    "cell2mat": ("y = cell2mat(c);", "c = num2cell(1:{n});"),
    "num2cell": ("y = num2cell(x);", _NUMBERS),
    "struct array": ("y = [t.a];", "t = struct('a', num2cell(1:{n}));"),
    "fieldnames": ("y = fieldnames(t);", "t = struct('a', 1, 'b', 2); n = {n};"),
    "isfield": ("y = isfield(t, 'b');", "t = struct('a', 1, 'b', 2); n = {n};"),
    "Map": (
        "m = containers.Map(c, 1:numel(c)); y = m.Count;",
        _WORDS.replace("mod(k*37,101)", "k"),
    ),
    "dec2bin": ("y = dec2bin(k);", "k = 1:{n};"),
    "factorial": ("y = factorial(min(15, floor(x)));", _NUMBERS),
    "primes": ("y = primes({n});", ""),
    "isprime": ("y = isprime(floor(x));", _NUMBERS),
    "gcd": ("y = gcd(floor(x), 12);", _NUMBERS),
    "nchoosek": ("y = nchoosek(10, 3);", ""),
    "fft": ("y = fft(x);", _NUMBERS),
    "filter": ("y = filter([1 2], [1 0.5], x);", _NUMBERS),
    "conv": ("y = conv(x, [1 2 1]);", _NUMBERS),
    "roots": ("y = sort(abs(roots([1 -6 11 -6])));", ""),
    "fzero": ("y = fzero(@(z) z^2 - 2, [0 2]);", ""),
    "quad": ("y = quadgk(@(z) z.^2, 0, 1);", ""),
    "datestr": ("y = floor(datenum(2020, 1, 1));", ""),
}


_SPARSE = "m = {n}; v = (1:m)'; S = spdiags([v 2*ones(m, 1) v(end:-1:1)], [-1 0 1], m, m);"
_STATEMENTS: dict[str, tuple[str, ...]] = {
    _SPARSE: (
        *"S*v|S + S|S*S|S'|2*S|S.*S|S > 1|S & S|S.^2|-S|S/2|v'*S*v|v - S*v|[S S]|[S; S]".split("|"),
        *"S(1, 1)|S(end)|S(:, 1)|S(end, :)|S(:)|S(S > 2)|S(v < 3, :)|S(:, [1 1])".split("|"),
        *"S(m:-1:1, m:-1:1)|reshape(S, 1, [])|tril(S)|diag(S)|double(S > 0)|logical(S)".split("|"),
        *"find(S)|nnz(S)|sum(S)|sum(S, 2)|any(S)|max(S)|norm(S, 1)|full(S)|speye(m)".split("|"),
        "S; y(1, 1) = 5",
        "S; y(:, 1) = v",
        "S; y(1, :) = 0",
        "S; y(S > 2) = 0",
        "S; y(:, 1) = []",
        "(S + 3*m*speye(m))\\v",
        "sparse(m, m); for q = 1:m, y(q, q) = y(q, q) + 1; end",
        "0; for q = 1:m, y = y + sum(S(:, q)) + S(q, q); end",
    ),
    _NUMBERS: (
        *"x.^0.5|2.^(x/20)|exp(1i*x)|(x + 1i*x) .* (x - 2i)|bitshift(floor(x), 1)|int32(x) + 1".split(
            "|"
        ),
        *"[x; x]|[x 1]|sort(x, 2)|diff(x, 2)|issorted(x)|gammaln(x)|deconv([x 1 2], [1 2])".split(
            "|"
        ),
        *"sortrows([x; x]')|corr(x', x'.^2)|0:0.1:{n}/10|sort(randperm({n}))|kron(x, [1 2])".split(
            "|"
        ),
        "x; y(1:end) = 3",
        "[x'.^0, x'; 1 2; 3 5] \\ [x'; 1; 2]",
    ),
    _WORDS: (
        *"isspace(s)|isletter(s)|isdigit(s)|s == 'w'|iscellstr(c)|strncmp(c, 'w7', 2)".split("|"),
        *"strcmpi(c, 'W7')|ismember(c, {'w1', 'w7'})|sscanf(s(2:end), '%d,w')".split("|"),
    ),
}
FUNCTIONS |= {
    code: (f"y = {code};", setup) for setup, codes in _STATEMENTS.items() for code in codes
}


def sweep() -> list[Case]:
    """Every function at every size; once where the size says nothing."""
    made = []
    for name, (code, setup) in FUNCTIONS.items():
        square = setup.startswith(_SQUARE)
        for n in SIZES:
            if square and n > 100:
                continue
            if "{n}" not in code + setup and n > 1:
                continue
            made.append(
                Case(
                    f"{name} × {n}",
                    code.replace("{n}", str(n)),
                    setup.replace("{n}", str(n)).replace("{{", "{").replace("}}", "}"),
                )
            )
    return made
