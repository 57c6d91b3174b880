function [result, p] = csaps(x, y, p, xx, w)
% pp = csaps(x, y, p): the smoothing spline f that minimises p*sum(w.*(y - f(x)).^2) plus (1 - p)
%   times the integral of its squared second derivative: p = 1 goes through the points, p = 0 is the
%   line of least squares. A matrix y holds one point in each column.
% v = csaps(x, y, p, xx): its values at xx. csaps(x, y, p, [], w): weights of the points.
% [pp, p] = csaps(x, y): the p that was chosen.
if iscell(x)
    error('SPLINES:CSAPS:gridded', 'csaps of gridded data (a cell of sites) is not implemented.');
end
if nargin < 5 || isempty(w)
    w = ones(1, numel(x));
end
if numel(w) ~= numel(x)
    error('SPLINES:CHCKXYWP:weights', 'There must be as many weights as sites.');
end
[~, order] = sort(x(:));
w = reshape(w(order), 1, []);
[x, y] = sites_and_values(x, y, 0);
n = numel(x);
if nargin < 3
    p = [];
end
if numel(p) > 1
    error('SPLINES:CSAPS:roughness', 'Roughness weights behind p are not implemented: p is one number.');
end
if n == 2
    p = 1;
    result = cubic_spline(x, y, repmat(diff(y, 1, 2)/diff(x), 1, 2));
else
    [result, p] = smoothed(x, y, p, w);
end
if nargin > 3 && ~isempty(xx)
    result = ppval(result, xx);
end
end

function [pp, p] = smoothed(x, y, p, w)
n = numel(x);
h = diff(x)';
T = spdiags([h(2:end) 2*(h(1:end - 1) + h(2:end)) h(1:end - 1)], -1:1, n - 2, n - 2)/6;
Q = spdiags([1./h(1:end - 1) -(1./h(1:end - 1) + 1./h(2:end)) 1./h(2:end)], [0 -1 -2], n, n - 2);
Qw = Q./w(:);
bend = Q'*Qw;
if isempty(p) || p < 0
    p = 1/(1 + full(trace(T))/full(trace(bend)));
end
u = (p*T + (1 - p)*bend)\(Q'*y');
f = (y' - (1 - p)*(Qw*u))';
m = [zeros(size(y, 1), 1) p*u' zeros(size(y, 1), 1)];
slopes = diff(f, 1, 2)./h' - h'.*(2*m(:, 1:end - 1) + m(:, 2:end))/6;
slopes(:, n) = slopes(:, n - 1) + h(n - 1)*(m(:, n - 1) + m(:, n))/2;
pp = cubic_spline(x, f, slopes);
end
