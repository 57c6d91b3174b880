% dialect: matlab
% oracle: MATLAB's documentation of histcounts, edge, ordfilt2; distributions with weight on one point
[n, edges] = histcounts([1 2 3 4.5])
[n, edges] = histcounts([2 3 5 7 11 13 17 19 23 29], 6)
[n, edges] = histcounts([3.3 3.3]), [n, edges] = histcounts([])
[n, edges] = histcounts([1 2 3.5 9], 'BinWidth', 3)
h = histogram([1 2 2 3.5], 3); h.BinEdges, h.Values
p = [geoinv([0 0.5 1], 1); gamcdf([-1 0 1], 0, 1); gaminv([0 0.5 1], 0)]
m = ordfilt2(magic(4), 5, ones(3), 'symmetric')
x = [zeros(9, 20); ones(9, 20)]; x(:, 15:end) = 1;
s = [nnz(edge(x, 'sobel', [], 'horizontal')) nnz(edge(x, 'sobel', [], 'vertical', 'nothinning'))]
q = abs(dblquad(@(x, y) x.*y, 0, 1, 0, 2, 1e-3) - 1) < 1e-3
h = bar({'low', 'high'}, [1 2]); labels = get(gca, 'XTickLabel')
for f = {@() containers.Map(1, 2, 3), @() addpath(3), @() edge(x, 'sobel', [], 'sideways'), ...
        @() medfilt2(x, 'mirror'), @() histcounts(1:3, 'BinMethod', 'mine'), ...
        @() dblquad(@(x, y) x, 0, 1, 0, 1, 1e-6, @ode45), @() normest1(magic(3), 2, [1; 1])}
    try
        f{1}()
    catch e
        disp(e.message)
    end
end
pctRunOnAll warning('off', 'all')
