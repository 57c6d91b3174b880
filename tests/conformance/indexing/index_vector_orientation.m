r = 1:5; c = (1:5)';
disp(size(r([1 2 3]'))); disp(size(c([1 2 3])));
disp(size(r([1 2; 3 4]))); disp(size(c([1 2; 3 4])));
m = magic(4); disp(size(m([1 2 3]))); disp(size(m([1 2 3]')));
s = 7; disp(size(s([1 1 1]))); disp(size(s([1;1]))); disp(s(ones(2,3)));
