% oracle: MATLAB documentation; functions that older Octave lacks
% dialect: matlab
% Options that once changed nothing.
disp(bitshift(2^31+7, 13, 32))
disp(bitshift(255, 1, 'uint8'))
disp([bitcmp(5, 'uint8') bitcmp(0, 'uint16') bitand(200, 100, 'uint8')])
X = [1 2 3; NaN 5 1; 4 NaN 6; 5 8 NaN];
disp(corrcoef(X, 'rows', 'pairwise'))
disp(corrcoef(X, 'rows', 'complete'))
disp(cov([1 2 NaN; 4 NaN 6; 7 8 9], 'partialrows'))
disp(cov([1 2 NaN; 4 5 6; 7 8 9], 'omitrows'))
disp(corr([1 2; 2 NaN; 3 5; 4 1], 'Rows', 'pairwise'))
disp(sortrows([1 NaN; NaN 2], 'MissingPlacement', 'first'))
disp(sortrows([-3 1; 2 2], 1, 'ComparisonMethod', 'abs'))
disp(maxk([1 -5 3], 2, 'ComparisonMethod', 'abs'))
c = cvpartition(6, 'KFold', 3);
disp([size(training(c, 'all')) sum(test(c, 'all'), 1) sum(training(c, 'all'), 1)])
disp(regexprep('MATLAB and matlab', 'matlab', 'runmat', 'preservecase'))
z = logspace(1+1i, 2+2i, 3);
fprintf('%.4f%+.4fi\n', [real(z); imag(z)])
disp(size(pagefun(@mtimes, zeros(2, 3, 0), zeros(3, 4, 0))))
[i, d] = knnsearch([0; 1; -1], 0, 'K', 2, 'IncludeTies', true);
disp(i{1}), disp(d{1})
disp(knnsearch([0 0; 3 3; 1 4], [1 1; 3 4], 'Distance', 'cityblock')')
disp(pdist([0 0; 3 4; 1 1], @(a, b) max(abs(a - b), [], 2)))
[D, I] = pdist2([0; 5; 9], [1; 8], 'euclidean', 'Smallest', 2)
[~, zf] = filter(1, [1 -.5 .2], ones(1, 5));
disp(size(zf))
f = figure('visible', 'off');
disp(get(f, 'color')), disp(get(axes, 'color'))
[x, r] = linsolve([2 1; 1 3], [1; 2])
disp(linsolve([2 0; 7 4], [2; 4], struct('LT', true))')
disp(join(["x" "y" "z"; "a" "b" "c"], [" + " " = "; " - " " = "]))
disp(compose(["max: %0.2f" "min: %0.2f"], [3.14 0.125; 1 2]))
disp(max([-5 3], [], 'ComparisonMethod', 'abs'))
disp(isreal(ifft2(fft2(magic(3)), 'symmetric')))
disp(ifft2([4 1i; -1i 0], 'symmetric'))
disp(round(pdeval(1, [1 2 4], [0 1 2], [1.5 3]), 4))
old = addpath(pwd); disp(ischar(old))
old = rmpath(pwd); disp(ischar(old))
disp(exist(char(['{' 4 repmat('a', 1, 400)])))
h = plot(1:3); g = copyobj(h, [subplot(1, 2, 1) subplot(1, 2, 2)]);
disp(size(g))
plot([1 2; 3 4]); l = legend('Location', 'northwest', 'a', 'b');
disp(l.String), disp(l.Location)
close(f)
