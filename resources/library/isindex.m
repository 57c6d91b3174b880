function tf = isindex(ind, n)
% tf = isindex(ind), isindex(ind, n): true for what may index (up to n): whole positive numbers or
% logical (Octave's).
if islogical(ind)
    tf = nargin < 2 || numel(ind) <= n;
else
    tf = isnumeric(ind) && isreal(ind) && all(ind(:) == round(ind(:)) & ind(:) > 0);
    if tf && nargin > 1
        tf = all(ind(:) <= n);
    end
end
end
