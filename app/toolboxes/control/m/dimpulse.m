function [y, x] = dimpulse(varargin)
% [y, x] = dimpulse(num, den, n), dimpulse(A, B, C, D, iu, n): the first n samples of the response to a unit pulse in
%   discrete time; draws them without outputs.
[sys, n] = sampled(varargin);
[y, ~, x] = impulse(sys, 0:n - 1);
if ~nargout
    draw_samples(y, 'Impulse Response')
    clear y
end
end
