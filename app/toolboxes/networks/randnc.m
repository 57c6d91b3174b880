function w = randnc(s, r)
% w = randnc(s, r): weights at random whose columns have the length 1.
if nargin < 2, r = 1; end
w = normc(2*rand(s, r) - 1);
end
