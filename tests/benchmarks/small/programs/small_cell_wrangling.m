function r = small_cell_wrangling()
c = cell(1, 150); for k = 1:150, c{k} = 1:mod(k, 9); end
r = sum(cellfun(@(x) sum(x), c)) + sum(cellfun('isempty', c)) + sum(cellfun(@numel, c));
end
