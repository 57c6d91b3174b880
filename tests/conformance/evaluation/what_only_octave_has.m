% Octave's own names and rules: they exist for programs that run in its dialect.
disp(exist('OCTAVE_VERSION'))
disp(compare_versions(OCTAVE_VERSION, '3.8.0', '>='))
old = page_screen_output(false);
page_output_immediately(true);
disp(islogical(old))
c = cell(1, 3); c(2) = 5; c(4) = 'text'; c(1) = [];
disp(c)
disp(quad(@(x) x^2, 0, 3))
[r, p, k, e] = residue([1 -2 1], [1 -1]);
disp(class(e)), disp(int8(3) * e)
disp([SEEK_SET SEEK_CUR SEEK_END])
p = inputParser(CaseSensitive = false, FunctionName = 'f'); disp(class(p))
o = optimset('lbound', [1 2]); disp(o.lbound)
x = prctile([3 1 4 1 5 9 2 6]), y = quantile((1:5)')(3)
try, prctile(), catch e, disp(e.message), end
