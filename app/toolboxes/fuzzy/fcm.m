function [centers, u, objective] = fcm(x, n, options)
% [centers, U, objective] = fcm(X, n, [exponent iterations improvement verbose]): fuzzy c-means of rows; U holds how
%   much each belongs to each cluster.
given = [2 100 1e-5 1];
if nargin > 2
    known = ~isnan(options(:)');
    given(known) = options(known);
end
u = rand(n, size(x, 1));
u = u./sum(u, 1);
objective = zeros(given(2), 1);
for k = 1:given(2)
    w = u.^given(1);
    centers = (w*x)./sum(w, 2);
    d = zeros(n, size(x, 1));
    for c = 1:n, d(c, :) = sqrt(sum((x - centers(c, :)).^2, 2))'; end
    objective(k) = sum(d.^2.*w, 'all');
    if given(4), fprintf('Iteration count = %d, obj. fcn = %f\n', k, objective(k)); end
    near = max(d, eps).^(-2/(given(1) - 1));
    u = near./sum(near, 1);
    if k > 1 && abs(objective(k) - objective(k - 1)) < given(3), break, end
end
objective = objective(1:k);
end
