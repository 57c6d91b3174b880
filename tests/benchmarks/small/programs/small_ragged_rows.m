function r = small_ragged_rows()
rows = cell(25, 1); for k = 1:25, rows{k} = mod(1:mod(k, 5) + 1, 3) + k; end
n = max(cellfun(@numel, rows)); M = NaN(25, n); for k = 1:25, M(k, 1:numel(rows{k})) = rows{k}; end
r = sum(M(~isnan(M))) + sum(isnan(M(:)));
end
