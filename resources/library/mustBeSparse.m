function mustBeSparse(A)
% mustBeSparse(A): an error unless A is sparse.
if ~issparse(A)
    throwAsCaller(MException('MATLAB:validators:mustBeSparse', 'Value must be sparse.'));
end
end
