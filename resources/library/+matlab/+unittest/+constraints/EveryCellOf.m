function elements = EveryCellOf(values)
% For verifyThat: the content of every element of a cell array satisfies the constraint.
elements = matlab.unittest.internal.Elements(values, @all);
end
