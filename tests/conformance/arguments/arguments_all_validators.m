% dialect: matlab
% oracle: Octave ignores arguments blocks
addpath('support')
[r, n] = strict([1 2 3]), r = strict(4, 3, "max", Scale = 2), [~, n] = strict([1 2], 1, 'sum', 'Label', 'two')
bad = {{[1 NaN]}, {[]}, {1, 1.5}, {1, -1}, {1, [1 2]}, {1, 1, "sum", 'Scale', 11}, {1, 1, "sum", 'Size', 1}, {'text'}, {}};
for c = bad
    try, strict(c{1}{:}); disp('accepted'), catch e, disp(e.message), end
end
