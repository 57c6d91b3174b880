function cdf = discrete_cdf(x, v, p)
% cdf = discrete_cdf(x, v, p): the probability of at most x where v(k) has the probability p(k) (Octave's).
if ~isvector(v) || ~isvector(p) || numel(v) ~= numel(p) || any(isnan(p)) || ~any(p > 0) || any(p < 0)
    error('discrete_cdf:invalidInput', 'There must be a probability for each value, none of them negative.');
end
share = p(:)/sum(p);
cdf = zeros(size(x));
for k = 1:numel(x)
    cdf(k) = sum(share(v(:) <= x(k)));
end
cdf(isnan(x)) = NaN;
end
