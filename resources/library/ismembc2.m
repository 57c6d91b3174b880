function places = ismembc2(a, s)
% places = ismembc2(a, s): the last place of each element of a in the sorted array s, 0 for none.
[found, at] = ismember(a(:), flip(s(:)));
places = reshape((numel(s) + 1 - at).*found, size(a));
end
