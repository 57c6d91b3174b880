function m = lpm(r, threshold, order)
% m = lpm(r, threshold, order): lower partial moments about the threshold (0), of orders in rows (0).
if nargin < 2 || isempty(threshold), threshold = 0; end
if nargin < 3, order = 0; end
if isrow(r), r = r(:); end
m = zeros(numel(order), size(r, 2));
for k = 1:numel(order)
    m(k, :) = mean((max(threshold - r, 0).^order(k)).*(r < threshold), 1);
end
end
