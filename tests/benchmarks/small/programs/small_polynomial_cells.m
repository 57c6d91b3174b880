function r = small_polynomial_cells()
p = {[1 2 1], [1 -1], [2 0 3]}; q = 1;
for k = 1:numel(p), q = conv(q, p{k}); end
[d, e] = deconv(q, p{2}); g = polyder(q); s = '';
for k = 1:numel(g)
    if g(k) == 0, continue, end
    if isempty(s), sgn = ''; elseif g(k) > 0, sgn = ' + '; else, sgn = ' - '; end
    s = [s sgn sprintf('%gx^%d', abs(g(k)), numel(g) - k)];
end
r = sprintf('%s; %s; %g', s, mat2str(d), sum(abs(e)));
end
