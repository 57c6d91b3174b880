function d = x2fx(x, model)
% d = x2fx(x, model): the terms of a model for data in rows: linear (default), interaction, quadratic,
%   purequadratic, or a matrix with the powers of each term in its rows.
if nargin < 2, model = 'linear'; end
n = size(x, 2);
if ischar(model) || isstring(model)
    kind = validatestring(model, {'linear', 'interaction', 'quadratic', 'purequadratic'}, 'x2fx');
    powers = [zeros(1, n); eye(n)];
    if any(strcmp(kind, {'interaction', 'quadratic'})) && n > 1
        pairs = nchoosek(1:n, 2);
        for k = 1:size(pairs, 1), powers(end + 1, pairs(k, :)) = 1; end
    end
    if any(strcmp(kind, {'quadratic', 'purequadratic'})), powers = [powers; 2*eye(n)]; end
else
    powers = model;
end
d = ones(size(x, 1), size(powers, 1));
for k = 1:size(powers, 1), d(:, k) = prod(x.^powers(k, :), 2); end
end
