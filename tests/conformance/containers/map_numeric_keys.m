m = containers.Map('KeyType', 'double', 'ValueType', 'any'); m(3) = 'three'; m(1) = 'one'; k = keys(m); disp(k{1}); disp(m(3)); disp(m.length());
