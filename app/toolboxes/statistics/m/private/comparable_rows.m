function [x, options] = comparable_rows(name, x, pairs)
% The rows of x without those that have missing values, standardized as the pairs ask.
options = struct('standardize', '', 'quantile', [], 'group', [], 'labels', []);
options.others = {};
if mod(numel(pairs), 2)
    error(['stats:' name ':BadArgs'], 'Names and values must come in pairs.');
end
for k = 1:2:numel(pairs)
    word = lower(char(pairs{k}));
    if isfield(options, word) && ~strcmp(word, 'others')
        options.(word) = pairs{k + 1};
    else
        options.others(end + 1:end + 2) = pairs(k:k + 1);
    end
end
kept = ~any(isnan(x), 2);
x = x(kept, :);
if ~isempty(options.group)
    options.group = grp2idx_rows(options.group, kept);
end
way = lower(char(options.standardize));
switch way
    case {'', 'off'}
    case 'on'
        x = zscore(x);
    case 'pca'
        [~, x] = pca(x);
    case 'pcastd'
        [~, x, variances] = pca(x);
        x = x./sqrt(variances');
    otherwise
        error(['stats:' name ':BadStandardize'], ...
            'Standardize must be ''on'', ''PCA'' or ''PCAStd''.');
end
end

function made = grp2idx_rows(group, kept)
[made.index, made.names] = grp2idx(group);
made.index = made.index(kept);
end
