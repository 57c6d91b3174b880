function mustBeRow(A)
% mustBeRow(A): an error unless A is a row vector.
if ~isrow(A)
    throwAsCaller(MException('MATLAB:validators:mustBeRow', 'Value must be a row vector.'));
end
end
