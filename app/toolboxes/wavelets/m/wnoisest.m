function s = wnoisest(c, l, levels)
% s = wnoisest(C, L, levels), wnoisest(c): standard deviations of the noise from the details of a decomposition (those of its first level without
%   levels), of a vector, or of each cell: median(abs(details))/0.6745.
if nargin == 1 && iscell(c)
    s = cellfun(@(d) median(abs(d(:)))/0.6745, c);
elseif nargin == 1
    s = median(abs(c(:)))/0.6745;
else
    if nargin < 3, levels = 1; end
    s = arrayfun(@(k) median(abs(detcoef(c, l, k)))/0.6745, levels);
end
end
