% oracle: MATLAB's documented last outputs and options, which Octave 7 does not have
% dialect: matlab
x = [1 2 1 2 50];
[B, TF, L, U, C] = filloutliers(x, 'clip'); disp([B(5) == U, TF(5), L < 0, C]);
[B, TF, F, L, U, C] = rmoutliers(x); disp([numel(B), TF(5), F(5), U > L, C]);
[~, w] = smoothdata(x, 'movmean', 3); disp(w);
[r, noise] = snr([10 -10], [1 -1]); disp([r noise]);
t = (0:4799)' / 48000; x = cos(2*pi*1000*t) + 0.01*cos(2*pi*2000*t);
[r, powers, frequencies] = thd(x, 48000, 2); disp(round([r; powers; frequencies])');
[~, rest] = sinad(x, 48000); disp(round(rest));
[L, flag] = logm([4 1; 1 3]); disp(flag); [~, flag] = logm([NaN 1; 1 3]); disp(flag);
[X, residual] = sqrtm([4 1; 1 3]); disp(residual < 1e-15);
wn = damp([-3 + 4i; -3 - 4i; -1]); fprintf('%g ', wn); fprintf('\n');
% options of statset
X = [0; 0.1; 9; 9.1];
disp(kmeans(X, 2, 'Start', [9; 1], 'Options', statset('MaxIter', 200))');
try, kmeans(X, 2, 'Options', statset('UseParallel', true)); catch e, disp(e.message); end
try, kmeans(X, 2, 'Options', 5); catch e, disp(e.identifier); end
% slopes that fsolve is given are the ones it takes
for how = {{'SpecifyObjectiveGradient', true}, {'SpecifyObjectiveGradient', false}}
  global asked %#ok<GVMIS>
  asked = 0;
  x = fsolve(@circles, [1; 1], optimoptions('fsolve', 'Display', 'off', how{1}{:}));
  disp([asked > 0, norm(x - [sqrt(2); 1]) < 1e-6]);
end
[~, ~, ~, ~, J] = fsolve(@circles, [1; 1], optimset('Jacobian', 'on', 'Display', 'off')); disp(round(J * 100) / 100);
% fzero that finds no sign change says so, and is no error
[x, v, flag] = fzero(@(x) x^2 + 1, 1); disp([x v flag]);
[x, v, flag] = fzero(@(x) 1, 1, optimset('Display', 'off')); disp([x v flag]);
% paths
disp(fullfile('a//b', 'c')); disp(fullfile('a', '.', 'b')); disp(fullfile('//s', 'a/')); disp(fullfile('a/b//'));
% a condition that assigns is an error
try, eval('if x = 3, disp(1), end'); catch e, disp(e.message); end
try, eval('while x = 0, end'); catch e, disp(e.identifier); end
function [F, J] = circles(x)
F = [x(1)^2 - 2; x(2) - 1];
if nargout > 1
  global asked %#ok<TLEV>
  asked = asked + 1;
  J = [2*x(1) 0; 0 1];
end
end
