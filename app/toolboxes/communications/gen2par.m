function h = gen2par(g)
% h = gen2par(g): the parity check matrix of a generator in standard form, or the generator of such a matrix.
[k, n] = size(g);
if isequal(g(:, 1:k), eye(k))
    h = [g(:, k + 1:end)' eye(n - k)];
elseif isequal(g(:, end - k + 1:end), eye(k))
    h = [eye(n - k) g(:, 1:n - k)'];
else
    error('comm:gen2par:InvalidForm', 'The matrix must be in standard form: [I P] or [P I].');
end
end
