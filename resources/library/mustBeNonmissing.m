function mustBeNonmissing(A)
% mustBeNonmissing(A): an error when an element of A is missing.
if any(ismissing(A), 'all')
    throwAsCaller(MException('MATLAB:validators:mustBeNonmissing', 'Value must not contain missing elements.'));
end
end
