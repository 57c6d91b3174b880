function [s, n] = over_finite(x, f)
if iscell(x), x = cell2mat(cellfun(@(m) m(:), x(:), 'UniformOutput', false)); end
x = x(isfinite(x));
[s, n] = deal(sum(f(x(:))), numel(x));
end
