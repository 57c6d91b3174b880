function w = whitepoint(kind)
% w = whitepoint(kind): XYZ of a white: a, c, e, d50, d55, d65, icc (default).
if nargin < 1, kind = 'icc'; end
kinds = {'a', 'c', 'e', 'd50', 'd55', 'd65', 'icc'};
table_ = [1.0985 1 0.3558; 0.9807 1 1.1822; 1 1 1; 0.9642 1 0.8251; 0.9568 1 0.9214; 0.9504 1 1.0888; 0.9642 1 0.8249];
w = table_(strcmp(validatestring(kind, kinds, 'whitepoint'), kinds), :);
end
