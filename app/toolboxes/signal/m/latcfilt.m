function [f, g] = latcfilt(k, x)
% [f, g] = latcfilt(k, x): the forward and backward outputs of an FIR lattice with reflection coefficients k.
f = x;
g = x;
isRow = isrow(x);
if isRow, f = f(:); g = g(:); end
for m = 1:numel(k)
    late = [zeros(1, size(g, 2)); g(1:end - 1, :)];
    [f, g] = deal(f + k(m)*late, conj(k(m))*f + late);
end
if isRow, f = f.'; g = g.'; end
end
