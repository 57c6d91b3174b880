function d = dist(w, p)
% d = dist(w, p): Euclidean distances of the rows of w from the columns of p. dist(pos): those of the columns of pos from each other.
if nargin < 2, [w, p] = deal(w', w); end
if size(w, 2) ~= size(p, 1), error('nnet:dist:sizeMismatch', 'The columns of W must be as many as the rows of P.'); end
d = zeros(size(w, 1), size(p, 2));
for k = 1:size(w, 2), d = d + (w(:, k) - p(k, :)).^2; end
d = sqrt(d);
end
