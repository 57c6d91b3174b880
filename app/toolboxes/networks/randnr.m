function w = randnr(s, r)
% w = randnr(s, r): weights at random whose rows have the length 1.
if nargin < 2, r = 1; end
w = normr(2*rand(s, r) - 1);
end
