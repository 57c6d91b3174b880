function mustBeUnderlyingType(A, names)
% mustBeUnderlyingType(A, names): an error unless the data of A are of one of the classes.
names = cellstr(names);
if ~any(strcmp(underlyingType(A), names))
    text = sprintf('Value must have an underlying type of: %s.', strjoin(names, ', '));
    throwAsCaller(MException('MATLAB:validators:mustBeUnderlyingType', '%s', text));
end
end
