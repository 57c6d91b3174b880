function [one, two, common] = pixels_of_each(name, A, B)
% How many pixels every label has in A, in B and in both: columns with a row for each, or numbers for masks. Labels are
%   positive numbers or categories. The function's name is for its messages.
if ~isequal(size(A), size(B)), error(['images:' name ':sizeMismatch'], 'A and B must have the same size.'); end
if islogical(A)
    [A, B, count] = deal(double(A), double(logical(B)), 1);
elseif iscategorical(A)
    names = categories(A);
    if ~isequal(names, categories(B)), error(['images:' name ':categoryMismatch'], 'A and B must have the same categories.'); end
    [~, B] = ismember(B, names);
    [~, A] = ismember(A, names);
    count = numel(names);
else
    if any([A(:); B(:)] < 0 | [A(:); B(:)] ~= fix([A(:); B(:)])), error(['images:' name ':badLabels'], 'Labels must be whole and not negative.'); end
    count = double(max([A(:); B(:)]));
end
[one, two, common] = deal(zeros(count, 1));
for k = 1:count
    [one(k), two(k), common(k)] = deal(nnz(A == k), nnz(B == k), nnz(A == k & B == k));
end
end
