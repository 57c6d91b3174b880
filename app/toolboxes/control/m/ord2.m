function [a, b, c, d] = ord2(wn, z)
% [num, den] = ord2(wn, z): the transfer function 1/(s^2 + 2*z*wn*s + wn^2); [A, B, C, D] = ord2(wn, z) in state space.
narginchk(2, 2);
if nargout > 2
    a = [0 1; -wn^2 -2*z*wn];
    [b, c, d] = deal([0; 1], [1 0], 0);
else
    [a, b] = deal(1, [1 2*z*wn wn^2]);
end
end
