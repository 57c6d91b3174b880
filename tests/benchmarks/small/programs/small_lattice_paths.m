function r = small_lattice_paths()
memo = containers.Map('KeyType', 'char', 'ValueType', 'double'); r = paths(7, 7, memo) + memo.Count;
end
function n = paths(i, j, memo)
if i == 0 || j == 0, n = 1; return, end
key = sprintf('%d,%d', i, j);
if isKey(memo, key), n = memo(key); return, end
n = paths(i-1, j, memo) + paths(i, j-1, memo); memo(key) = n;
end
