function [a, varargout] = split_(v), a = v(1); for k = 2:max(nargout, 1), varargout{k - 1} = v(k); end, end
[p, q, r] = split_([7 8 9]); disp([p q r]); disp(split_([4 5]));
