function t = sample_times(x, fs)
% The time of each sample, along columns or a row.
if isrow(x), t = (0:numel(x) - 1)/fs; else, t = (0:size(x, 1) - 1)'/fs; end
end
