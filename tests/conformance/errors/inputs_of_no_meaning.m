% Inputs for which there is no answer are refused at once, by an error that says why.
function told(f), try, f(); disp('no error'), catch e, disp([e.identifier ': ' e.message]), end, end
told(@() repelem(true, 1e10, 5, 'a'))
told(@() setenv(''))
told(@() setenv('a=b', 'c'))
told(@() bilinear([0 0], [0 0], int8(20)))
told(@() getPeakGain(tf(1, [1 1]), .1, 5))
disp(isequal(repelem([1 2; 3 4], 2, [1 2], 2), cat(3, [1 2 2; 1 2 2; 3 4 4; 3 4 4], [1 2 2; 1 2 2; 3 4 4; 3 4 4])))
for n = [0.5 0 -1 NaN Inf], told(@() tiledlayout(n, 2)), end
