function [k, r0] = ac2rc(r)
% [k, r0] = ac2rc(r): the reflection coefficients of an autocorrelation, and its value at lag zero.
[~, ~, k] = levinson(r);
r0 = r(1);
end
