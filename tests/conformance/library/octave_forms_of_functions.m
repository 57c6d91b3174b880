% Octave's dialect: one element serves for all in arrayfun and cellfun; cells in cells are joined;
% 'cubic' keeps the shape of the data; texts are padded.
disp(arrayfun(@(a, b) a + b, [1 2 3], 1)), disp(arrayfun(@(a, b) a + b, 2, [1; 2]))
c = cellfun(@(a, b) [a b], {1, 2}, {3}, 'UniformOutput', false); disp(c{2})
try, arrayfun(@(a, b) a + b, [1 2 3], [1 2]), catch, disp('sizes differ'), end
c = cell2mat({{'a'}, {'b', 'c'}}); disp(size(c)), disp(c{3})
disp([prepad('Oct', 5, 'x') '|' postpad('Oct', 5, '.') '|' postpad('Octave', 3)])
printf('%.4f\n', interp1(1:4, [1 3 2 5], 1.4, 'cubic'), interp1(1:4, [1 3 2 5], 1.4, 'pchip'));
disp(hanning(4)'), disp(hanning(4, 'periodic')'), disp(hanning(1)), disp(exist('inputParser'))
assert(true, 1, 0), assert(single(2), 2, 0)
try, assert(true, 1), catch, disp('another class'), end
