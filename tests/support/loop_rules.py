"""Rules of compiled loops, each in a program."""

from __future__ import annotations

RULES = {
    "integers saturate": "p = int8(100); for k = 1:20, p = p + k*3; q = uint8(k) - 9; end",
    "halves round away": "s = 0; for k = -5:5, s = s*3 + double(int32(k/2)); r = round(k/2); end",
    "integer division": "p = int32(7); for k = 1:6, q = p / k; r = idivide(p, int32(k)); end",
    "64 bits are exact": "p = int64(2)^0; p = int64(1); for k = 1:70, p = p * 3 - 1; end",
    "mod and rem": "s = 0; for k = -7:0.5:7, s = s + mod(k, 3)*rem(k, -2) + mod(k, 0.3); end",
    "mod of signs": "x = []; for k = [1], end, for k = -3:3, x(end+1) = mod(k, -3); end",
    "NaN compares": "c = 0; x = [NaN 1 NaN]; for k = 1:3, if x(k) ~= x(k), c = c + 1; end, end",
    "max passes NaN by": "m = NaN; x = [2 NaN 5]; for k = 1:3, m = max(m, x(k)); end",
    "growth of a row": "x = []; for k = 1:50, x(end+1) = k^2; end",
    "growth of a column": "x = zeros(2, 1); for k = 1:40, x(end+1) = k; end",
    "gaps are zeros": "x = 1; for k = 1:9, x(2*k) = k; end",
    "a stack": "x = []; for k = 1:40, x(end+1) = k; if mod(k, 3) == 0, x(end) = []; end, end",
    "a queue": "q = 1:9; s = 0; while ~isempty(q), s = s * 2 + q(1); q(1) = []; end",
    "a column is used up": "x = (1:6)'; for k = 1:6, x(ceil(end/2)) = []; end",
    "what is deleted is the variable's own": "x = 1:9; y = x; for k = 1:5, x(k) = []; end",
    "columns are added": "x = ones(2, 1); for k = 2:9, x(1, k) = k; end",
    "text is read and written": "s = 'abc'; t = s; for k = 1:3, t(k) = char(s(4-k) + 1); end",
    "logical arrays": "m = false(1, 9); for k = 1:9, m(k) = mod(k, 2) == 1; end",
    "single stays single": "u = single(0.1); for k = 1:9, u = u * 1.5 + k; end",
    "while with two tests": "k = 0; while k < 5 && k*k < 10, k = k + 1; end",
    "break and continue": "s = 0; for k = 1:9, if k == 3, continue, end, if k > 6, break, end,"
    " s = s + k; end",
    "switch on numbers": "s = 0; for k = 1:6, switch k, case 1, s = 1; case {2, 4}, s = s + k;"
    " otherwise, s = s * 2; end, end",
    "switch on a char": "s = 0; w = 'abca'; for k = 1:4, switch w(k), case 'a', s = s + 1; case"
    " {'b', 'xx'}, s = s + 10; end, end",
    "a pass that ends early after its inner loop was left": "s = 0; for k = 1:4, for j = 1:3, if j"
    " == 2, cc = {j}; end, end, if k < 3, continue, end, s = s + k; break, end",
    "steps that are variables": "x = zeros(1, 9); d = 2; for k = 1:3, for j = k:d:9, x(j) = x(j) +"
    " j; end, d = d + 1; end",
    "steps that are no whole numbers": "x = zeros(1, 9); d = 0.5; for k = 1:3, for j = 1:d:4, if"
    " j == floor(j), x(j) = j; end, end, end",
    "characters as numbers": "s = 0; w = 'a7Z'; for k = 1:3, c = w(k); if c >= '0' && '9' >= c,"
    " s = s * 10 + (c - '0'); else, s = s + 'z' - c; end, end",
    "empty inner loops": "s = 0; for k = 1:4, for j = k:3, s = s + j; end, end",
    "fractional steps": "s = 0; for k = 0:0.1:1, s = s + k; end",
    "bits": "s = 0; for k = 1:20, s = bitxor(s, bitshift(k, 2)); t = bitand(k, 6); end",
    "random numbers": "s = 0; for k = 1:20, s = s + rand; if rand < 0.5, s = s + randi(6); end, end",
    "slices": "A = magic(4); for k = 1:4, b = A(k, :); A(:, k) = b' * 2; c = b(end:-1:1); end",
    "short circuits": "x = [1 2 3]; k = 1; while k <= numel(x) && x(k) < 9, k = k + 1; end",
    "sizes": "x = zeros(3, 2); for k = 1:4, s = size(x, 1) + numel(x) + length(x); end",
    "unset before a branch": "for k = 1:5, if k > 2, z = k; end, end",
    "constants": "s = 0; for k = 1:3, s = s + pi + eps; t = Inf; f = true; end",
    "a scalar becomes an array": "x = 5; for k = 1:6, x(k) = k; end",
    "complex scalars": "c = complex(-0.4, 0.6); z = c; n = 0; for k = 1:30, if abs(z) > 2, break, end,"
    " z = z^2 + c*2 - 1i/3; n = n + real(z) - imag(-z); end",
    "complex arguments": "n = 0; for k = 1:9, n = n + far(complex(k/5, 0.3)); end\n"
    "function n = far(c)\nz = c; n = 0;\nwhile abs(z) < 2 && n < 20,"
    " z = z*z + c; n = n + 1; end\nend",
    "several outputs": "for k = 1:4, [a, b] = two(k); end\nfunction [a, b] = two(n)\na = n; b = -n;"
    "\nend",
    "recursion": "for k = 1:9, r = fac(k); end\nfunction r = fac(n)\nif n < 2, r = 1; else,"
    " r = n * fac(n - 1); end\nend",
    "arrays are copied": "x = 1:4; y = x; for k = 1:4, x(k) = 0; z = y; z(1) = k; end",
    "arrays as arguments": "x = 1:4; for k = 1:4, y = put(x, k); end\nfunction x = put(x, k)\n"
    "x(k) = -1;\nend",
    "loops in a function": "r = f(9);\nfunction r = f(n)\nr = 0;\nfor k = 1:n, if k == 7, return,"
    " end, r = r + k; end\nend",
}
