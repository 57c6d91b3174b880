function [iupper, ilower, uppersum, lowersum] = cusum(x, climit, mshift, tmean, tdev)
% [iupper, ilower, uppersum, lowersum] = cusum(x, climit, mshift, tmean, tdev): where the cumulative sums of
%   deviations from the mean first leave climit (5) standard deviations, for shifts of mshift (1) of them.
n = min(25, numel(x));
if nargin < 2 || isempty(climit), climit = 5; end
if nargin < 3 || isempty(mshift), mshift = 1; end
if nargin < 4 || isempty(tmean), tmean = mean(x(1:n)); end
if nargin < 5 || isempty(tdev), tdev = std(x(1:n)); end
[uppersum, lowersum] = deal(zeros(size(x)));
for k = 2:numel(x)
    uppersum(k) = max(0, uppersum(k - 1) + x(k) - tmean - mshift*tdev/2);
    lowersum(k) = min(0, lowersum(k - 1) + x(k) - tmean + mshift*tdev/2);
end
iupper = find(uppersum > climit*tdev, 1);
ilower = find(lowersum < -climit*tdev, 1);
end
