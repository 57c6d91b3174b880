% oracle: identifiers are those of MATLAB
m = containers.Map({'b', 'a'}, [2 1]);
keys(m), values(m), m.isKey('a'), m('c') = 3; m.Count, m.length(), remove(m, 'a'); m.keys(), values(m, {'b'}), n = containers.Map('KeyType', 'double', 'ValueType', 'any');
n(3) = 'x'; n(1) = {1}; cell2mat(keys(n)), class(n(1)), m.KeyType, n.ValueType, isobject(m)
try, m('zz'), catch e, disp(e.identifier), end
k = containers.Map([1 2 3], {'x', 'y', 'z'}); k(2), p = [m; containers.Map({'q'}, [9])]; p.Count
