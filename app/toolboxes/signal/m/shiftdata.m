function [y, perm, nshifts] = shiftdata(x, dim)
% [y, perm, nshifts] = shiftdata(x, dim): the dimension dim first; with [] the first that is not single.
perm = [];
nshifts = [];
if nargin < 2 || isempty(dim)
    [y, nshifts] = shiftdim(x);
else
    perm = [dim, 1:dim - 1, dim + 1:ndims(x)];
    y = permute(x, perm);
end
end
