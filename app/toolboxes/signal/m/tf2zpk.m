function [z, p, k] = tf2zpk(b, a)
% [z, p, k] = tf2zpk(b, a): zeros, poles and gain of a digital filter.
if nargin < 2, a = 1; end
n = max(numel(b), numel(a));
[z, p, k] = tf2zp([b(:).' zeros(1, n - numel(b))], [a(:).' zeros(1, n - numel(a))]);
end
