function y = inconsistent(z, depth)
% y = inconsistent(z, depth): of each join of a tree the mean and deviation of the heights down to the depth (2),
%   their number, and how far the join itself is above the mean.
if nargin < 2, depth = 2; end
n = size(z, 1) + 1;
y = zeros(n - 1, 4);
for k = 1:n - 1
    level = k;
    heights = z(k, 3);
    for d = 2:depth
        below = reshape(z(level, 1:2), 1, []);
        level = below(below > n) - n;
        heights = [heights; z(level, 3)];
        if isempty(level), break, end
    end
    y(k, 1:3) = [mean(heights) std(heights) numel(heights)];
    if y(k, 2) > 0, y(k, 4) = (z(k, 3) - y(k, 1))/y(k, 2); end
end
end
