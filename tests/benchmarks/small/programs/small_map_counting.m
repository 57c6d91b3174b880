function r = small_map_counting()
m = containers.Map('KeyType', 'double', 'ValueType', 'double'); for k = 1:300, j = mod(k*k, 17); if isKey(m, j), m(j) = m(j) + 1; else, m(j) = 1; end, end
r = sum(cell2mat(values(m)));
end
