function [y, x] = dstep(varargin)
% [y, x] = dstep(num, den, n), dstep(A, B, C, D, iu, n): the first n samples of the response to a unit step in discrete
%   time; draws them without outputs.
[sys, n] = sampled(varargin);
[y, ~, x] = step(sys, 0:n - 1);
if ~nargout
    draw_samples(y, 'Step Response')
    clear y
end
end
