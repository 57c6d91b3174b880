function x = unshiftdata(y, perm, nshifts)
% x = unshiftdata(y, perm, nshifts): the inverse of shiftdata.
if isempty(perm), x = shiftdim(y, -nshifts); else, x = ipermute(y, perm); end
end
