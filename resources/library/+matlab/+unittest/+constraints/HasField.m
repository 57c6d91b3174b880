function constraint = HasField(name)
% A struct with this field.
constraint = matlab.unittest.internal.Check(@(x) isstruct(x) && isfield(x, name), ...
    sprintf('There is no field %s.', name));
end
