function x = empirical_rnd(data, varargin)
% x = empirical_rnd(data, ...): data drawn at random with replacement; sizes as for rand (Octave's).
if ~isvector(data)
    error('empirical_rnd:invalidInput', 'The data must be a vector.');
end
if nargin < 2
    varargin = {size(data)};
end
x = empirical_inv(rand(varargin{:}), data);
end
