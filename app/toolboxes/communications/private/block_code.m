function [G, decimal] = block_code(n, k, method, how, name)
% The generator matrix of a block code by its name, and whether its words are whole numbers.
parts = strsplit(lower(char(method)), '/');
kind = validatestring(parts{1}, {'hamming', 'linear', 'cyclic'}, name);
decimal = numel(parts) > 1 && strcmp(validatestring(parts{2}, {'binary', 'decimal'}, name), 'decimal');
switch kind
    case 'hamming'
        m = n - k;
        if n ~= 2^m - 1
            error(['comm:' name ':InvalidN'], 'A Hamming code needs N = 2^M - 1 and K = N - M.');
        end
        if isempty(how), [~, G] = hammgen(m); else, [~, G] = hammgen(m, how); end
    case 'linear'
        G = how;
        if ~isequal(size(G), [k n])
            error(['comm:' name ':InvalidGen'], 'A linear code needs a generator matrix of %d rows and %d columns.', k, n);
        end
    case 'cyclic'
        if isempty(how), how = cyclic_polynomial(n, k, name); end
        G = zeros(k, n);
        for row = 1:k                           % remainders of x^(n-k+row-1), systematic
            power = zeros(1, n);
            power(n - k + row) = 1;
            [~, rest] = deconv_binary(power, how(:)');
            G(row, :) = [rest(1:n - k) zeros(1, row - 1) 1 zeros(1, k - row)];
        end
end
end

function p = cyclic_polynomial(n, k, name)
% The first polynomial of degree n - k (ascending powers) that divides x^n + 1.
for value = 2^(n - k) + 1:2:2^(n - k + 1) - 1
    p = double(bitget(value, 1:n - k + 1));
    [~, rest] = deconv_binary([1 zeros(1, n - 1) 1], p);
    if ~any(rest), return, end
end
error(['comm:' name ':NoPolynomial'], 'There is no cyclic code of length %d for words of %d bits.', n, k);
end

function [q, rest] = deconv_binary(a, b)
% Division of polynomials over two elements, ascending powers.
d = find(b, 1, 'last');
rest = a;
q = zeros(1, max(numel(a) - d + 1, 1));
for top = numel(a):-1:d
    if rest(top)
        q(top - d + 1) = 1;
        rest(top - d + 1:top) = mod(rest(top - d + 1:top) + b(1:d), 2);
    end
end
end
