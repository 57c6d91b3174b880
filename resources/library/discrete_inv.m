function inv = discrete_inv(x, v, p)
% inv = discrete_inv(x, v, p): the quantiles x where v(k) has the probability p(k) (Octave's).
if ~isvector(v) || ~isvector(p) || numel(v) ~= numel(p) || any(isnan(p)) || ~any(p > 0) || any(p < 0)
    error('discrete_inv:invalidInput', 'There must be a probability for each value, none of them negative.');
end
[v, order] = sort(v(:));
total = cumsum(reshape(p(order), [], 1))/sum(p);
inv = NaN(size(x));
for k = find(x(:).' >= 0 & x(:).' <= 1)
    inv(k) = v(find(total >= x(k), 1));
end
end
