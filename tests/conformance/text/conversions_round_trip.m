c = num2cell([1 2]); [c{:}], s = cell2struct(c', {'a', 'b'}, 1); struct2cell(s)', logical(double(true)), single(double(single(0.1))) == single(0.1), int8(double(int8(5)))
