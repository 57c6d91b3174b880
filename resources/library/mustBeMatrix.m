function mustBeMatrix(A)
% mustBeMatrix(A): an error unless A is a matrix.
if ~ismatrix(A)
    throwAsCaller(MException('MATLAB:validators:mustBeMatrix', 'Value must be a matrix.'));
end
end
