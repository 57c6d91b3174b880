function inv = empirical_inv(x, data)
% inv = empirical_inv(x, data): the quantiles x of data (Octave's).
if ~isvector(data)
    error('empirical_inv:invalidInput', 'The data must be a vector.');
end
inv = discrete_inv(x, data, ones(size(data))/numel(data));
end
