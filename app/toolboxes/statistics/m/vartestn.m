function [p, stats] = vartestn(x, varargin)
% [p, stats] = vartestn(x), vartestn(x, group): whether the columns of x, or its groups, have the same variance, by
%   Bartlett's test.
%   Options: 'TestType' (Bartlett, LeveneQuadratic, LeveneAbsolute, BrownForsythe, OBrien), 'Display' (on, off).
group = [];
if ~isempty(varargin) && (mod(numel(varargin), 2) || isempty(varargin{1}))
    group = varargin{1};
    varargin(1) = [];
end
parser = inputParser;
parser.FunctionName = 'vartestn';
addParameter(parser, 'TestType', 'Bartlett');
addParameter(parser, 'Display', 'on');
parse(parser, varargin{:});
kinds = {'Bartlett', 'LeveneQuadratic', 'LeveneAbsolute', 'BrownForsythe', 'OBrien'};
kind = validatestring(parser.Results.TestType, kinds, 'vartestn', 'TestType');
shown = validatestring(string(parser.Results.Display), ["on" "off"], 'vartestn', 'Display');
[y, place, names] = samplesOf(x, group, 'vartestn');
k = numel(names);
n = accumarray(place, 1, [k 1]);
means = accumarray(place, y, [k 1])./n;
variances = accumarray(place, y, [k 1], @(v) var(v));
if strcmp(kind, 'Bartlett')
    df = n - 1;
    pooled = sum(df.*variances)/sum(df);
    known = df > 0;
    statistic = (sum(df)*log(pooled) - sum(df(known).*log(variances(known)))) ...
        /(1 + (sum(1./df(known)) - 1/sum(df))/(3*(nnz(known) - 1)));
    stats = struct('chisqstat', statistic, 'df', nnz(known) - 1);
    p = gammainc(statistic/2, stats.df/2, 'upper');
else
    switch kind
        case 'LeveneQuadratic', z = (y - means(place)).^2;
        case 'LeveneAbsolute',  z = abs(y - means(place));
        case 'BrownForsythe'
            medians = accumarray(place, y, [k 1], @median);
            z = abs(y - medians(place));
        case 'OBrien'
            m = n(place);
            z = ((m - 1.5).*m.*(y - means(place)).^2 - 0.5*variances(place).*(m - 1))./((m - 1).*(m - 2));
    end
    [~, table_] = anova1(z, place, 'off');
    stats = struct('fstat', table_{2, 5}, 'df', [table_{2, 3}, table_{3, 3}]);
    p = table_{2, 6};
end
if strcmp(shown, "on")
    fprintf('%-10s%8s%12s%12s\n', 'Group', 'Count', 'Mean', 'Std Dev');
    for g = 1:k, fprintf('%-10s%8d%12g%12g\n', names{g}, n(g), means(g), sqrt(variances(g))); end
    fprintf('%s: p = %g\n', kind, p);
    figure
    boxplot(y, names(place))
end
end
