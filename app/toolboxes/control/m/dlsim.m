function [y, x] = dlsim(varargin)
% [y, x] = dlsim(num, den, u), dlsim(A, B, C, D, u, x0): the response in discrete time to the samples in the rows of u;
%   draws it without outputs.
[sys, rest] = model(varargin);
if isempty(rest), error('MATLAB:minrhs', 'Not enough input arguments.'); end
u = rest{1};
if isrow(u), u = u.'; end
[y, ~, x] = lsim(sys, u, 0:size(u, 1) - 1, rest{2:end});
if ~nargout
    draw_samples(y, 'Linear Simulation Results')
    clear y
end
end
