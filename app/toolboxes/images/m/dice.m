function similarity = dice(A, B)
% similarity = dice(A, B): how alike two segmentations are: twice the common pixels over those of both. For masks a number, for labels
%   (positive numbers) or categories a column with one for each.
if ~isequal(size(A), size(B)), error('images:dice:sizeMismatch', 'A and B must have the same size.'); end
if islogical(A)
    [A, B, count] = deal(double(A), double(logical(B)), 1);
elseif iscategorical(A)
    names = categories(A);
    if ~isequal(names, categories(B)), error('images:dice:categoryMismatch', 'A and B must have the same categories.'); end
    [~, B] = ismember(B, names);
    [~, A] = ismember(A, names);
    count = numel(names);
else
    if any([A(:); B(:)] < 0 | [A(:); B(:)] ~= fix([A(:); B(:)])), error('images:dice:badLabels', 'Labels must be whole and not negative.'); end
    count = double(max([A(:); B(:)]));
end
[one, two, common] = deal(zeros(count, 1));
for k = 1:count
    [one(k), two(k), common(k)] = deal(nnz(A == k), nnz(B == k), nnz(A == k & B == k));
end
similarity = 2*common./(one + two);
end
