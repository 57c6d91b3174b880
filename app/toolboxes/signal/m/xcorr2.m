function c = xcorr2(a, b)
% c = xcorr2(a, b): the cross-correlation of two matrices; xcorr2(a) is a's with itself.
if nargin < 2, b = a; end
c = conv2(a, rot90(conj(b), 2));
end
