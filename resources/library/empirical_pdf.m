function pdf = empirical_pdf(x, data)
% pdf = empirical_pdf(x, data): the share of the data that is x (Octave's).
[v, ~, place] = unique(data(:));
pdf = discrete_pdf(x, v, accumarray(place, 1)/numel(data));
end
