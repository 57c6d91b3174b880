function cdf = empirical_cdf(x, data)
% cdf = empirical_cdf(x, data): the share of the data that is at most x (Octave's).
if ~isvector(data)
    error('empirical_cdf:invalidInput', 'The data must be a vector.');
end
cdf = discrete_cdf(x, data, ones(size(data))/numel(data));
end
