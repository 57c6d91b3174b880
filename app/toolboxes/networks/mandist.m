function d = mandist(w, p)
% d = mandist(w, p): sums of absolute differences between the rows of w and the columns of p. mandist(pos): between the columns of pos.
if nargin < 2, [w, p] = deal(w', w); end
if size(w, 2) ~= size(p, 1), error('nnet:mandist:sizeMismatch', 'The columns of W must be as many as the rows of P.'); end
d = zeros(size(w, 1), size(p, 2));
for k = 1:size(w, 2), d = d + abs(w(:, k) - p(k, :)); end
end
