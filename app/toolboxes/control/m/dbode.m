function [mag, phase, w] = dbode(varargin)
% [mag, phase, w] = dbode(num, den, Ts, w), dbode(A, B, C, D, Ts, iu, w): magnitude and phase (degrees) of a system in
%   discrete time, a row for every frequency; draws them without outputs.
arrays = 2 + 2*(nargin > 4);
sys = model(varargin(1:min(arrays, nargin)));
rest = varargin(arrays + 1:end);
if isempty(rest), error('MATLAB:minrhs', 'Not enough input arguments.'); end
sys.Ts = rest{1};
rest(1) = [];
if nargin > 4 && ~isempty(rest)
    sys = sys(:, rest{1});
    rest(1) = [];
end
if ~nargout
    bode(sys, rest{:})
    return
end
[mag, phase, w] = bode(sys, rest{:});
mag = reshape(mag, [], numel(w)).';
phase = reshape(phase, [], numel(w)).';
end
