% oracle: cells are displayed in MATLAB form
[c{1:3}] = deal(0); disp(c); [c{1:2}] = deal(7, 8); disp([c{:}]);
d = cell(1,2); [d{:}] = size(ones(4,5)); disp([d{:}]); [m, d{1}] = max([3 9 2]); disp(d{1});
[q{1}, q{2}] = deal('a', 'b'); disp([q{:}]);
