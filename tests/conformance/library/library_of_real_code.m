% oracle: MATLAB documentation; functions that older Octave lacks
% dialect: matlab
% Functions that collections of programs call.
[tf, i] = ismembertol([1+1e-13 2.5], [1 2 3])
d = decomposition([2 1; 1 3]); disp([d\[1; 2], d'\[1; 2]]), disp(d.Type)
e = decomposition([1 2; 3 4; 5 7]); disp(norm(e\[1; 2; 3] - [1 2; 3 4; 5 7]\[1; 2; 3]) < 1e-12)
f = decomposition([1 2; 3 4]); disp(norm(f'\[5; 6] - [1 2; 3 4]'\[5; 6]) < 1e-12)
try, mustBeColumn([1 2]), catch x, disp(x.message), end
try, mustBeNonmissing([1 NaN]), catch x, disp(x.message), end
[f, x, lo, up] = ecdf([1 2 2 5]); disp(round([f x lo up], 4))
t = tabulate([1 1 3]); disp(t), tabulate({'a' 'b' 'a'})
[m, n, g] = grpstats([1 10; 2 20; 6 3], {'a'; 'a'; 'b'}, {'mean', 'numel', 'gname'})
disp(size(bootstrp(5, @mean, [1 2 3])))
c = classify([1 1; 6 6], [0 0; 1 1; 2 1; 5 5; 6 6; 7 8], [1 1 1 2 2 2]')'
disp(bi2de([1 0 1; 0 1 1])'), disp(de2bi([5 2])), disp(de2bi(5, 4, 'left-msb'))
[x, flag] = symmlq([2 1; 1 -3], [1; 2], 1e-10, 20); disp(round(x', 4)), disp(flag)
h = plot(1:3); set(h, 'DisplayName', 'sx');
disp(numel(findobj('-regexp', 'DisplayName', '^s')))
disp(numel(findobj(gcf, 'Type', 'line', '-or', 'Type', 'axes')))
disp(numel(findobj(gcf, "-depth", 1, "-not", "Type", "line")) > 0), close
