function mustBeColumn(A)
% mustBeColumn(A): an error unless A is a column vector.
if ~iscolumn(A)
    throwAsCaller(MException('MATLAB:validators:mustBeColumn', 'Value must be a column vector.'));
end
end
