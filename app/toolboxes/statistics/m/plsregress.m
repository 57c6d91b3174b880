function [xl, yl, xs, ys, beta, pctvar, mse, stats] = plsregress(x, y, ncomp, varargin)
% [XL, YL, XS, YS, beta, pctvar, mse, stats] = plsregress(X, Y, ncomp): partial least squares by SIMPLS.
if ~isempty(varargin)
    error('stats:plsregress:UnknownOption', 'plsregress takes no options: the errors are those of the data themselves.');
end
[n, dx] = size(x);
if size(y, 1) ~= n
    error('stats:plsregress:SizeMismatch', 'X and Y must have the same number of rows.');
end
most = min(n - 1, dx);
if nargin < 3, ncomp = most; end
if ncomp < 1 || ncomp > most || fix(ncomp) ~= ncomp
    error('stats:plsregress:InvalidComponents', 'The number of components must be a whole number from 1 to %d.', most);
end
mx = mean(x, 1); my = mean(y, 1);
x0 = x - mx; y0 = y - my;
[xl, yl, xs, ys, w] = components(x0, y0, ncomp);
slopes = w*yl';
beta = [my - mx*slopes; slopes];
pctvar = [sum(xl.^2, 1)/sum(x0.^2, 'all'); sum(yl.^2, 1)/sum(y0.^2, 'all')];
mse = zeros(2, ncomp + 1);
for k = 0:ncomp
    t = xs(:, 1:k);
    mse(:, k + 1) = [sum((x0 - t*xl(:, 1:k)').^2, 'all'); sum((y0 - t*yl(:, 1:k)').^2, 'all')]/n;
end
stats = struct('W', w, 'T2', sum(xs.^2./var(xs, 0, 1), 2), 'Xresiduals', x0 - xs*xl', 'Yresiduals', y0 - xs*yl');
end

function [xl, yl, xs, ys, w] = components(x0, y0, ncomp)
% Loadings, scores and weights: each component is the direction of the largest covariance that is left.
xl = zeros(size(x0, 2), ncomp); w = xl; basis = xl;
yl = zeros(size(y0, 2), ncomp);
xs = zeros(size(x0, 1), ncomp); ys = xs;
left = x0'*y0;
for k = 1:ncomp
    [r, s, c] = svd(left, 'econ');
    t = x0*r(:, 1);
    size_of_t = norm(t);
    xs(:, k) = t/size_of_t;
    w(:, k) = r(:, 1)/size_of_t;
    xl(:, k) = x0'*xs(:, k);
    yl(:, k) = s(1)*c(:, 1)/size_of_t;
    v = xl(:, k);
    u = y0*yl(:, k);
    for pass = 1:2 % twice, for the rounding
        v = v - basis(:, 1:k - 1)*(basis(:, 1:k - 1)'*v);
        u = u - xs(:, 1:k - 1)*(xs(:, 1:k - 1)'*u);
    end
    basis(:, k) = v/norm(v);
    ys(:, k) = u;
    left = left - basis(:, 1:k)*(basis(:, 1:k)'*left);
end
end
