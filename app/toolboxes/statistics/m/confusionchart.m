function h = confusionchart(varargin)
% h = confusionchart(truth, predicted), confusionchart(m), confusionchart(m, labels): the confusion matrix as a
%   heatmap. Options: 'Title', 'Normalization' (absolute, row-normalized, column-normalized, total-normalized).
words = cellfun(@(a) (ischar(a) || (isstring(a) && isscalar(a))) && any(strcmpi(a, {'Title', 'Normalization'})), varargin);
first = find(words, 1);
if isempty(first), first = nargin + 1; end
parser = inputParser;
parser.FunctionName = 'confusionchart';
addParameter(parser, 'Title', '');
addParameter(parser, 'Normalization', 'absolute');
parse(parser, varargin{first:end});
given = varargin(1:first - 1);
if isempty(given), error('MATLAB:minrhs', 'Not enough input arguments.'); end
m = given{1};
if isscalar(given) || (ismatrix(m) && isnumeric(m) && size(m, 1) == size(m, 2) && ~isscalar(m) && size(m, 1) == numel(given{2}))
    labels = 1:size(m, 1);
    if numel(given) > 1, labels = given{2}; end
else
    [m, labels] = confusionmat(given{:});
end
switch validatestring(parser.Results.Normalization, ...
        {'absolute', 'row-normalized', 'column-normalized', 'total-normalized'}, 'confusionchart', 'Normalization')
    case 'row-normalized',    m = m./sum(m, 2);
    case 'column-normalized', m = m./sum(m, 1);
    case 'total-normalized',  m = m/sum(m(:));
end
names = cellstr(string(labels(:)'));
h = heatmap(names, names, m, 'Title', parser.Results.Title, 'XLabel', 'Predicted Class', 'YLabel', 'True Class');
end
