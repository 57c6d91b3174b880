x = 1:10; disp(x(max(1, end - 2))); disp(x(floor(end / 2))); m = magic(4); disp(m(min(end, 3), max(1, end - 1))); disp(numel(x(1:end - numel([1 2]))));
