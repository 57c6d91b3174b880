% dialect: matlab
% A new variable takes all of the right side
fresh(:) = zeros(1, 1, 4); size(fresh)
s = struct(); s.y(:) = 1:3; s.y
old = [];
try, old(:) = 1:3; catch e, disp(e.message), end
% Functions of texts are methods of strings
name = string('abc').append("d", "e").upper()
if name.startsWith("AB"), disp(name.strlength + 1), end
try, name.foo, catch e, disp(e.message), end
try, name.sin, catch e, disp(e.message), end
% Bits of doubles that stand for integers
[bitset(5, 2, 'uint8') bitset(-1, 8, 0, 'int8') bitget(-1, 8, 'int8')]
try, bitset(5, 40, 'uint8'), catch e, disp(e.message), end
try, bitget(300, 1, 'uint8'), catch e, disp(e.message), end
try, bitget(uint8(3), 1, 'int8'), catch e, disp(e.message), end
try, randperm(3, 5), catch e, disp(e.message), end
% Every equation of many is solved; a place without a root is told
[x, ~, flag] = fsolve(@(x) exp(0.45*x) - x.^2 + 4, -15:15);
disp([round(unique(round(x, 4)), 4), flag])
[~, ~, flag] = fsolve(@(x) x^2 + 1, 3); disp(flag)
% Penalties chosen by the error of observations left out
rng(1); X = randn(60, 5); y = X*[2; 0; 0; -3; 0] + 0.1*randn(60, 1);
[B, F] = lasso(X, y, 'CV', cvpartition(60, 'KFold', 4));
disp([find(B(:, F.Index1SE))' F.Lambda1SE >= F.LambdaMinMSE size(F.SE)])
[~, F] = lasso(X, y, 'Intercept', false); disp(F.Intercept(1))
% Systems without outputs, the hull of an image, rows sampled anew
d = c2d(ss([0 1; -1 -1], [0; 1], [], []), 0.1); disp([size(d.C) size(d.D)])
bwconvhull(logical([1 0 0; 1 0 0; 1 1 1]))
r = resample([1 2 3; 4 5 6], 2, 1, 'Dimension', 2); size(r)
isequal(r, resample([1 2 3; 4 5 6]', 2, 1)')
round(255*turbo(3))
