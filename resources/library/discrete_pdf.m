function pdf = discrete_pdf(x, v, p)
% pdf = discrete_pdf(x, v, p): the probability of x where v(k) has the probability p(k) (Octave's).
[v, p] = discrete_of(v, p);
pdf = zeros(size(x));
pdf(isnan(x)) = NaN;
[found, place] = ismember(x, v);
pdf(found) = p(place(found));
end

function [v, p] = discrete_of(v, p)
if ~isvector(v) || ~isvector(p) || numel(v) ~= numel(p) || any(isnan(p)) || ~any(p > 0) || any(p < 0)
    error('discrete_pdf:invalidInput', 'There must be a probability for each value, none of them negative.');
end
[v, order] = sort(v(:));
p = p(order)/sum(p);
p = p(:);
end
