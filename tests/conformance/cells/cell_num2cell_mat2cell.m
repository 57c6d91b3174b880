c = num2cell([1 2; 3 4]); disp(size(c)); disp(c{2, 1});
m = mat2cell(magic(4), [2 2], [3 1]); disp(size(m{1, 1})); disp(m{2, 2}');
disp(cell2mat({1 2; 3 4}));
